"""The spaCy component masks, verifies and leaves the document as it is."""

from __future__ import annotations

import spacy

import judgekit.spacy_component  # noqa: F401 - registers the component
from judgekit.records import BlindedReply, Withheld


def test_documents_are_blinded() -> None:
    """Known names of the pipeline and of the document are masked; the text stays."""
    nlp = spacy.blank("en")
    nlp.add_pipe("judgekit_blinder", config={"known_names": ["Ana"], "lang": "en"})
    doc = nlp("Hi Ana, your wife called.")
    assert doc.text == "Hi Ana, your wife called."
    assert doc._.blinded == "Hi [PERSON_1], your [SPOUSE] called."
    assert isinstance(doc._.blinding_verdict, BlindedReply)
    assert [s.surface for s in doc._.blinding_slots] == ["Ana", "wife"]


def test_a_withheld_document_has_no_blinded_text() -> None:
    """What the verifier withholds is not handed on."""
    nlp = spacy.blank("en")
    nlp.add_pipe("judgekit_blinder")
    doc = nlp("Bonjour, nous avons bien reçu votre message et nous vous répondrons dès demain.")
    assert doc._.blinded is None
    assert isinstance(doc._.blinding_verdict, Withheld)
