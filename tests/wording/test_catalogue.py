"""The Spanish catalogue is complete: every sentence that the source can say in a report is in it, and nothing else."""

import ast
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import get_args

import regex
import yaml

import judgekit
from judgekit.records import Gap, SwapResult
from judgekit.wording.languages import catalogue, language

PACKAGE = Path(judgekit.__file__).parent
TEMPLATE = PACKAGE / "data" / "page" / "report.html.j2"
IMPORT = regex.compile(r"^\s*from (judgekit[\w.]*) import (\([^)]*\)|.*)", regex.MULTILINE)
# Words that are the same in both languages.
SAME = {"kappa", "control", "unicode", "no", "Unicode"}


@cache
def nodes(path):
    """Calls in a module; a module without any of those that matter is not even parsed."""
    source = path.read_text(encoding="utf-8")
    if not regex.search(
        r"\b(say|Undefined|Reason|Unscored|RawAnswer|replace)\(|\b(notes|conditions|steps)\.append", source
    ):
        return []
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]


def module_of(name):
    """The file of a module or package of ours; None for a name inside one, and for judgekit itself."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file() and path != PACKAGE), None)


@cache
def reporting_modules():
    """Every module that a run and its pages import, directly or not."""
    met, todo = set(), ["judgekit.pipeline", "judgekit.page.render", "judgekit.reporting.markdown"]
    while todo:
        path = module_of(todo.pop())
        if path is None or path in met:
            continue
        met.add(path)
        for module, names in IMPORT.findall(path.read_text(encoding="utf-8")):
            todo += [module, *(f"{module}.{name}" for name in regex.findall(r"\w+", names))]
    return sorted(met)


def calls(path, *names):
    """Calls of these functions in a module."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def says(path):
    """Whether `say` in this module is that of sentences, and not a way to print a line."""
    return "from judgekit.wording.sentence import" in path.read_text(encoding="utf-8")


def literals(node):
    """Texts that stand in an expression: constants, and branches of a choice."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def fields_of(pattern):
    """Names of the fields of a pattern with their formats."""
    return {(name, spec) for _, name, spec, _ in Formatter().parse(pattern) if name is not None}


def wordless(pattern):
    """Whether a pattern has no letter of its own."""
    return not any(any(c.isalpha() for c in text) for text, *_ in Formatter().parse(pattern))


@cache
def spoken():
    """Every pattern that the source gives to `say`, and every reason of a missing statistic, with its place."""
    found = {}
    for path in reporting_modules():
        # A place for the message of a failing test.
        place = str(path.relative_to(PACKAGE))
        if says(path):
            for call in calls(path, "say"):
                for text in literals(call.args[0]):
                    found.setdefault(text, place)
        for call in calls(path, "Undefined"):
            for argument in [*call.args, *(k.value for k in call.keywords)]:
                for text in literals(argument):
                    found.setdefault(text, place)
    source = TEMPLATE.read_text(encoding="utf-8")
    found |= dict.fromkeys(regex.findall(r'say\("([^"\\]+)"', source), TEMPLATE.name)
    return {text: place for text, place in found.items() if text and not wordless_or_plain(text)}


def wordless_or_plain(text):
    """Patterns of nothing but fields and marks need no translation."""
    try:
        return wordless(text)
    except ValueError:  # a text with braces that are no fields
        return False


@cache
def codes():
    """Words that stand for values of records, from where they are declared."""
    from judgekit.gate import _ORDER, GateVerdict
    from judgekit.study_blocks import System

    suite = yaml.safe_load(files("judgekit.data").joinpath("injection", "suite.yaml").read_text(encoding="utf-8"))
    hints = [Gap.__annotations__["verdict"], SwapResult.__annotations__["verdict"]]
    words = {*get_args(GateVerdict), *_ORDER, *suite["cases"], *System.model_fields}
    words |= {name.replace("_", " ") for name in System.model_fields}
    words |= {word for hint in hints for word in regex.findall(r"[\"']([a-z ]+)[\"']", str(hint))}
    rooms = ("judging", "probing", "endpoints", "batches")
    for path in [
        PACKAGE / "stages.py",
        PACKAGE / "evidence.py",
        *(p for room in rooms for p in PACKAGE.joinpath(room).glob("*.py")),
    ]:
        for call in calls(path, "Unscored", "RawAnswer", "replace"):
            first = list(literals(call.args[0])) if call.args and call.func.id == "Unscored" else []
            words |= {*first, *(x for k in call.keywords if k.arg == "error_kind" for x in literals(k.value))}
    kinds = ast.walk(ast.parse((PACKAGE / "endpoints" / "http_errors.py").read_text(encoding="utf-8")))
    decided = next(n for n in kinds if isinstance(n, ast.FunctionDef) and n.name == "kind_of")
    return words | {x for n in ast.walk(decided) if isinstance(n, ast.Return) and n.value for x in literals(n.value)}


def test_every_sentence_of_a_report_is_translated():
    """No pattern of `say`, reason of a missing statistic or sentence of the page is missing in Spanish."""
    known = language("es").sentences
    assert len(spoken()) > 350
    assert {text: place for text, place in spoken().items() if text not in known} == {}


def test_every_code_that_a_reader_sees_has_a_word():
    """Verdicts, kinds of failure, kinds of hostile replies and the system's keys."""
    known = language("es").sentences
    assert {code for code in codes() if code not in known} == set()


def test_nothing_stale_is_left_in_the_catalogue():
    """A sentence that the source no longer says is no longer translated."""
    words = {"expired", "cancelled", "not installed"}  # made from tables of other names
    assert set(language("es").sentences) - set(spoken()) - codes() - words == set()


def test_translations_have_the_fields_of_their_sentence():
    """The same values in the same formats; a choice between one and many may come on top."""
    for english, spanish in language("es").sentences.items():
        if english in codes():
            continue
        try:
            wanted = fields_of(english)
        except ValueError:
            continue
        found = fields_of(spanish)
        inside = {f for _, spec in found if "|" in spec for f in fields_of(spec)}
        plain = {f for f in found if "|" not in f[1]} | inside
        assert plain == wanted, english
        assert {name for name, spec in found if "|" in spec} <= {name for name, _ in wanted}, english
        assert all(spec.count("|") == 1 for _, spec in found if "|" in spec), english


def test_the_catalogue_repeats_nothing_and_is_spanish():
    """No sentence twice, none left in English, and marks that Spanish wants: opened questions, no English quotes."""
    for name in catalogue("es"):
        text = (PACKAGE / "data" / "wording" / "es" / f"{name}.yaml").read_text(encoding="utf-8")
        keys = regex.findall(r'^"(.+?)": ', text, flags=regex.MULTILINE)
        assert len(keys) == len(set(keys)) == len(catalogue("es")[name])
    for english, spanish in language("es").sentences.items():
        assert spanish.strip() == spanish != "", english
        assert spanish != english or english in SAME or wordless(english.replace("n {n}", "")), english
        assert spanish.count("?") == spanish.count("¿"), english
        assert not regex.search(r"\b(the|of|and|with|which|is|are|not|replies|judge)\b", bare(spanish)), english
        assert english.endswith(".") == spanish.endswith("."), english


def bare(pattern):
    """Without fields, and without commands and keys, which keep their names."""
    return regex.sub(r"\{[^{}]*\}|`[^`]*`|\S*[._]\S+|interval='[^']*'", " ", pattern)


def test_what_a_report_quotes_is_made_by_say():
    """Reasons, conditions, notes and steps are sentences, never plain texts put together from parts."""
    wrong = {}
    for path in reporting_modules():
        for node in nodes(path):
            if found := [ast.unparse(part) for part in told_parts(node) if holds_loose_text(part)]:
                wrong.setdefault(path.name, []).extend(found)
    assert wrong == {}


def told_parts(node):
    """Arguments of a call that a report will quote."""
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name == "Undefined":  # a constant is told by itself, see `spoken`
        return [a for a in node.args if isinstance(a, ast.JoinedStr)]
    if name == "Reason":
        return [k.value for k in node.keywords if k.arg != "code"]
    if name == "append" and isinstance(node.func, ast.Attribute):
        of = node.func.value
        kept = of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")
        return node.args if kept in {"conditions", "notes", "steps"} else []
    return []


def holds_loose_text(node):
    """Whether an expression is a text that is not a sentence."""
    if isinstance(node, ast.IfExp):
        return holds_loose_text(node.body) or holds_loose_text(node.orelse)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
