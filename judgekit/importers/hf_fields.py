"""Fields of a data set's rows: nested objects flattened, class numbers named, somebody's scores told from facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.json_text import loads
from judgekit.foreign.fields import bare
from judgekit.foreign.peek import Peek
from judgekit.intake.words import folded

__all__ = ["Names", "class_names", "flat", "is_score", "model_field", "score_column"]

Names = Mapping[str, Sequence[str]]
"""Names of classes by field: the data set holds their numbers."""

_DEEPEST = 6
_MOST = 500
_SCORES = frozenset(
    {
        "score",
        "scores",
        "rating",
        "ratings",
        "reward",
        "rewards",
        "grade",
        "grades",
        "stars",
        "preference",
        "margin",
        "judgment",
        "judgement",
        "verdict",
        "label",
        "labels",
        "logprob",
        "logprobs",
        "elo",
        "rank",
        "ranking",
        "helpfulness",
        "correctness",
        "coherence",
        "complexity",
        "verbosity",
        "toxicity",
        "winner",
        "vote",
        "votes",
    }
)
_MODELS = ("model", "model_name", "model_id", "generator", "llm", "served_model", "chosen_model")


def is_score(name: str) -> bool:
    """Whether a field's name says that somebody's score stands in it: carried, never a metric.

    Examples
    --------
    >>> is_score("meta.tone_score"), is_score("scenario")
    (True, False)
    """
    return bool(_SCORES & set(folded(bare(name)).split("_")))


def score_column(name: str) -> str:
    """The column in which a foreign score is carried.

    Examples
    --------
    >>> score_column("meta.tone_score")
    'hf_meta_tone_score'
    """
    return f"hf_{name.replace('.', '_')}"


def model_field(fields: Mapping[str, Any], used: frozenset[str | None]) -> str | None:
    """The field that names who replied."""
    for want in _MODELS:
        for name, value in fields.items():
            if folded(bare(name)) == want and name not in used and isinstance(value, str):
                return name
    return None


def flat(record: Mapping[str, Any], names: Names = {}) -> tuple[dict[str, Any], set[str]]:  # noqa: B006 - never changed
    """A record's fields, those of nested objects under names with dots, and the names of binary ones, which are left out.

    Parameters
    ----------
    record : mapping
    names : mapping, optional
        Class names of fields that hold numbers.

    Returns
    -------
    (dict, set of str)

    Examples
    --------
    >>> flat({"meta": {"gender": 0}, "image": b"x"}, {"meta.gender": ["women", "men"]})
    ({'meta.gender': 'women'}, {'image'})
    """
    found: dict[str, Any] = {}
    binary: set[str] = set()
    _walk(record, "", found, binary, 0)
    for name, classes in names.items():
        value = found.get(name)
        if isinstance(value, int) and 0 <= value < len(classes):
            found[name] = classes[value]
    return found, binary


def _walk(value: Mapping[str, Any], above: str, found: dict[str, Any], binary: set[str], depth: int) -> None:
    for key, entry in value.items():
        name = f"{above}.{key}" if above else key
        if isinstance(entry, (bytes, bytearray)):
            binary.add(name)
        elif isinstance(entry, dict) and depth < _DEEPEST:
            _walk(entry, name, found, binary, depth + 1)
        elif len(found) < _MOST:
            found[name] = entry if _is_plain(entry) else None
            if not _is_plain(entry):
                binary.add(name)


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return value is None or isinstance(value, (str, int, float, bool))


def class_names(seen: Peek) -> Names:
    """Names of classes that the writer of a Parquet file left in its header (`datasets.ClassLabel`).

    Parameters
    ----------
    seen : Peek

    Returns
    -------
    Names
        Empty where the file says none.
    """
    if seen.shape != "parquet":
        return {}
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_schema(seen.path).metadata or {}
        said = loads(metadata[b"huggingface"].decode())["info"]["features"]
    except (KeyError, TypeError, UnicodeDecodeError, BadInput, pa.ArrowException, OSError):
        return {}  # a file written otherwise, or with a header that is not as datasets writes it
    found: dict[str, list[str]] = {}
    _classes(said, "", found, 0)
    return found


def _classes(features: Any, above: str, found: dict[str, list[str]], depth: int) -> None:
    if not isinstance(features, dict) or depth > _DEEPEST:
        return
    for key, entry in features.items():
        name = f"{above}.{key}" if above else str(key)
        if not isinstance(entry, dict):
            continue
        names = entry.get("names")
        if entry.get("_type") == "ClassLabel" and isinstance(names, list):
            found[name] = [str(n) for n in names]
        elif "_type" not in entry:
            _classes(entry, name, found, depth + 1)
