"""Generated texts through blind, verify and fill: nothing raises, no text is lost, what was taken out goes back.

    python tests/bench/bench_generated_texts.py [TEXTS] [--workers N] [--seed N]

By default 100,000 texts: random scripts, controls, lone surrogates, markup and escapes, placeholders of our own form, names
and pronouns planted in sentences, and some lines of 1 MB. `check` says what must hold; a slow test runs it on fewer.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import regex

from judgekit.blinding.fill import fill, original, own_identity
from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.files.blinded import blinded_row, design_row
from judgekit.files.json_text import dumps
from judgekit.records import BASE, Arm, BlindedReply, Identity, MaskedText, NameForms, Reply, Withheld

ALPHABETS = (
    "abcdefghijklmnop ", "ABCDEFGH ", "éàñüçøłßİıŁ ", "αβγδΑΒ ", "аеорсухАЕ ", "王芳李静 ", "さくらサクラ ", "김민준 ", "فاطمةعلي ", "שרהדוד ",
    "अनीताशर्मा ", "สมชาย ", "Ⅷﬁ①ａＡ ", "\u0301\u0308\u200d\u200b\u2060\ufe0f ", "\u202e\u202d\u2066\u2069 ", "\x00\x07\x1b[31m\x7f\x85 ", "\ud800\udbff\udc00\udfff ",
    "<>&;%\\u/[]{}()|*_`#~^=+ ", "0123456789.,:-/ ", "@._-#'’\"“” ", "\n\r\t\u2028\u2029\x0b\x0c ", "🎉👩‍👩‍👧🏽 ",
)  # fmt: skip
PIECES = (
    "she", "He's", "they", "their", "herself", "his", "himself", "s/he", "xe", "Mr.", "Mrs", "ma'am", "Dear", "Hi", "Estimada", "señora", "la", "ella", "él", "está",
    "husband", "my mother", "the nurse", "38-year-old", "aged 52", "born in 1980", "from Lagos", "Muslim", "[PERSON_1]", "[PERSON_0]", "[PRONOUN]", "[TITLE]", "[EL-LA]", "[QUOTED]",
    "&amp;", "&#x41;", "&iacute;", "%C3%AD", "\\u00ed", "<b>", "</p>", "<script>", "**", "```", "{{", "}}", "=SUM(A1)", '{"name": "', "first_name:", "user=", "https://x.example/u/",
    ".", ",", "!", "?", ":", ";", "-", "—", "'s", "’s", "\n", "\n\n", "order", "is", "was", "says", "will call you", "thanks", "gracias por su mensaje", "the refund of £12.50",
    "+44 20 7946 0958", "ES91 2100 0418 4502 0005 1332", "4111 1111 1111 1111", "a.b@mail.example", "@handle", "#Tag", "Robin Feld", "Grace", "Will", "May",
)  # fmt: skip
PEOPLE = (
    ("Ngozi", "Okafor"), ("Bartosz", "Kowalczyk"), ("Ximena", "de la Cruz"), ("Jean-Luc", "O'Brien"), ("王芳",), ("فاطمة", "الزهراء"), ("Grace", "Long"), ("Nguyễn Thị", "Hương"), (),
)  # fmt: skip
SENTENCES = (
    "{given} says {sub}'s late.", "Dear {title} {family},", "Please call {obj} back about {pos} order.", "{given} {family} did it {ref}.",
    "It is {abs}.", "{Sub} wants a refund.", "Thanks, {given}!", "{given}'s account is open.",
)  # fmt: skip
WOMAN = dict(sub="she", Sub="She", obj="her", pos="her", abs="hers", ref="herself", title="Ms")  # noqa: C408
MAN = dict(sub="he", Sub="He", obj="him", pos="his", abs="his", ref="himself", title="Mr")  # noqa: C408
SPOKEN_OF = (("Ngozi", "Okafor", WOMAN), ("Bartosz", "Kowalczyk", MAN), ("Xiulan", "Zhou", WOMAN))
OTHERS = (
    Identity(group="w", name="Emma Reyes", forms=NameForms(given="Emma", family="Reyes", pronouns="she/her")),
    Identity(group="n", name="Kim Aydin", forms=NameForms(given="Kim", family="Aydin", pronouns="they/them")),
)
LONG = 1_000_000
ONE_LONG_IN = 5_000


@dataclass(frozen=True)
class Case:
    """A generated reply. ``plain``: it speaks of the known person only, so that the own identity restores it."""

    reply: Reply
    plain: bool = False


def cases(count: int, seed: int) -> Iterator[Case]:
    """Generated replies, the same for the same seed; at least two of them are lines of 1 MB."""
    rng = random.Random(seed)
    long = count // ONE_LONG_IN + 2
    for n in range(count):
        if n < long:
            yield Case(_reply(rng, n, _long_line(rng)))
        elif rng.random() < 0.1:
            given, family, forms = rng.choice(SPOKEN_OF)
            text = " ".join(rng.choice(SENTENCES) for _ in range(rng.randrange(1, 5)))
            written = text.format(given=given, family=family, **forms)
            yield Case(Reply(id=str(n), text=written, lang="en", known_names=(given, family)), plain=True)
        else:
            yield Case(_reply(rng, n, _text(rng)))


def _reply(rng: random.Random, n: int, text: str) -> Reply:
    names = rng.choice(PEOPLE)
    for name in names if rng.random() < 0.7 else ():
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("", " ")) + rng.choice((name, name.upper(), name.lower())) + " " + text[at:]
    text, context = _as_read(text), _as_read(_text(rng)) if rng.random() < 0.2 else None
    lang = rng.choice((None, "en", "en", "es"))
    return Reply(id=str(n), text=text, context=context, lang=lang, known_names=names, names_stated=rng.random() < 0.5)


def _as_read(text: str) -> str:
    """As a file would give it: two halves of a surrogate pair side by side are one character, a lone half stays."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _text(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.3:
        alphabet = rng.choice(ALPHABETS)
        return "".join(rng.choice(alphabet) for _ in range(rng.randrange(120)))
    if kind < 0.5:
        return "".join(rng.choice(rng.choice(ALPHABETS)) for _ in range(rng.randrange(120)))
    if kind < 0.55:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randrange(60)))
    joint = rng.choice((" ", " ", ""))
    return joint.join(rng.choice(PIECES) for _ in range(rng.randrange(40)))


def _long_line(rng: random.Random) -> str:
    unit = "".join(rng.choice(PIECES) + rng.choice((" ", "")) for _ in range(rng.randrange(1, 30))).replace("\n", " ")
    unit = rng.choice((unit, unit, rng.choice(rng.choice(ALPHABETS)), _text(rng).replace("\n", " "))) or "a"
    return (unit * (LONG // len(unit) + 1))[:LONG]


def check(case: Case, blinder: Blinder, verifier: Verifier) -> str:
    """Blind, verify and fill one reply; the verdict, or `AssertionError` when something was lost."""
    reply = case.reply
    masked = blinder.mask(reply)
    if original(masked) != (reply.text, reply.context):
        raise AssertionError(f"the text did not come back: {reply.text[:200]!r}")
    result = verifier.verify(masked)
    verdict = f"withheld: {result.code}" if isinstance(result, Withheld) else "verified"
    if isinstance(result, BlindedReply):
        _no_name_left(masked)
    _stored(reply, masked, result)
    for identity in OTHERS:
        filled = fill(masked, identity, arm=Arm(kind="identity", identity=identity.name))
        if identity.forms.pronouns == "she/her":
            _between_slots(masked, filled.text)
    own = fill(masked, own_identity(masked), arm=BASE)
    if case.plain and own.text != reply.text:
        raise AssertionError(f"the own identity did not restore: {reply.text!r} became {own.text!r}")
    return verdict


def _no_name_left(masked: MaskedText) -> None:
    """No known name stands in a verified text as a word of its own, as a reader sees it."""
    seen = "".join(c for c in masked.text.casefold() if unicodedata.category(c) not in {"Cf", "Mn", "Me"})
    for name in ("ngozi", "okafor", "bartosz", "kowalczyk", "ximena"):
        if name in {known.casefold() for known in masked.known_names}:
            found = regex.search(rf"(?<![\p{{L}}\p{{N}}]){name}(?![\p{{L}}\p{{N}}])", seen, timeout=60)
            if found:
                raise AssertionError(f"{name} is left in a verified text: {masked.text[:200]!r}")


def _stored(reply: Reply, masked: MaskedText, result: BlindedReply | Withheld) -> None:
    """What is written on disk reads back the same."""
    row, design = json.loads(dumps(blinded_row(masked, result))), json.loads(dumps(design_row(reply, masked, result)))
    same = row["blinded"] == masked.text and row.get("context") == masked.context
    if not same or design["slots"] != [asdict(slot) for slot in masked.slots]:
        raise AssertionError(f"what was stored is not what was made: {reply.text[:200]!r}")


def _between_slots(masked: MaskedText, filled: str) -> None:
    """Everything outside the slots stands in the filled text, in order."""
    at = start = 0
    for slot in sorted((s for s in masked.slots if s.field == "text"), key=lambda s: s.start):
        piece = masked.text[start : slot.start]
        found = filled.find(piece, at)
        if found < 0:
            raise AssertionError(f"text was lost in filling: {piece[:200]!r}")
        at, start = found + len(piece), slot.end
    if not filled.endswith(masked.text[start:]):
        raise AssertionError(f"the end was lost in filling: {masked.text[start:][:200]!r}")


def run(count: int, seed: int) -> Counter[str]:
    """Check so many texts; how many got which verdict."""
    blinder, verifier = Blinder(ner="off"), Verifier()
    return Counter(check(case, blinder, verifier) for case in cases(count, seed))


def main() -> None:
    """Check the texts in several processes and print the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=int, nargs="?", default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shard = 2_500
    counts = [min(shard, options.texts - at) for at in range(0, options.texts, shard)]
    started, total, done = time.monotonic(), Counter[str](), 0
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        for count, found in zip(
            counts, pool.map(run, counts, range(options.seed, options.seed + len(counts))), strict=True
        ):
            total += found
            done += count
            print(f"{done:,} texts, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    print(f"{sum(total.values()):,} texts: no exception, no text lost, every round trip exact")
    for verdict, count in total.most_common():
        print(f"  {verdict:<24}{count:>9,}")


if __name__ == "__main__":
    main()
