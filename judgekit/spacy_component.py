"""A spaCy pipeline component that blinds: ``nlp.add_pipe("judgekit_blinder")``.

Importing this module registers the component. The masked text, its slots and the verifier's verdict stand in
``doc._.blinded``, ``doc._.blinding_slots`` and ``doc._.blinding_verdict``; the document itself is not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import BlindedReply, Reply

__all__ = ["JudgekitBlinder", "create_blinder"]

for _name in ("blinded", "blinding_slots", "blinding_verdict"):
    if not Doc.has_extension(_name):
        Doc.set_extension(_name, default=None)
if not Doc.has_extension("known_names"):
    Doc.set_extension("known_names", default=())


class JudgekitBlinder:
    """Masks and verifies each document.

    Parameters
    ----------
    known_names : sequence of str
        Names in every document; ``doc._.known_names`` adds to them.
    lang : str
        ``en``, ``es`` or ``auto``.
    ner : {'auto', 'on', 'off'}
        Whether a model looks for other people's names.
    keep : sequence of str
        Words that are no cue here.
    """

    def __init__(self, known_names: Sequence[str], lang: str, ner: Any, keep: Sequence[str]) -> None:
        self.known_names = tuple(known_names)
        self._blinder = Blinder(lang=lang, ner=ner, keep=tuple(keep))
        self._verifier = Verifier(keep=tuple(keep))

    def __call__(self, doc: Doc) -> Doc:
        """Blind one document.

        Parameters
        ----------
        doc : Doc
            Its text is read.

        Returns
        -------
        Doc
            The same document with its extensions set; ``blinded`` is None when the verifier withheld it.
        """
        names = (*self.known_names, *doc._.known_names)
        masked = self._blinder.mask(Reply(id="doc", text=doc.text, known_names=names))
        result = self._verifier.verify(masked)
        doc._.blinding_slots = masked.slots
        doc._.blinding_verdict = result
        doc._.blinded = result.text if isinstance(result, BlindedReply) else None
        return doc


@Language.factory("judgekit_blinder", default_config={"known_names": [], "lang": "auto", "ner": "off", "keep": []})
def create_blinder(
    nlp: Language,  # noqa: ARG001 - the factory's fixed signature
    name: str,  # noqa: ARG001 - the factory's fixed signature
    known_names: list[str],
    lang: str,
    ner: str,
    keep: list[str],
) -> JudgekitBlinder:
    """Make the component; spaCy calls it.

    Examples
    --------
    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> component = nlp.add_pipe("judgekit_blinder", config={"known_names": ["Ana"], "lang": "en"})
    >>> nlp("Hi Ana, she called.")._.blinded
    'Hi [PERSON_1], [PRONOUN] called.'
    """
    return JudgekitBlinder(known_names, lang, ner, keep)
