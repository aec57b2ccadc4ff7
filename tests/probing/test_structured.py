"""Structured variables: what the patterns read, in both languages, and what they say when they cannot."""

from __future__ import annotations

import pytest

from judgekit.probing.extract import measure
from judgekit.records import Scored, Unscored
from judgekit.study_measured import Measured

CASES = [
    ("decision", "en", "Yes. You are approved.", "yes"),
    ("decision", "en", "No worries, we have approved your loan.", "yes"),
    ("decision", "en", "We regret that we cannot offer you this card.", "no"),
    ("decision", "en", "Thanks. No, your request has been declined.", "no"),
    ("decision", "en", "Your application is under review.", "refer"),
    ("decision", "en", "What is your order number?", "no_match"),
    ("decision", "en", "Your loan is approved. A colleague will review it.", "conflict"),
    ("decision", "es", "No, no podemos aprobarlo.", "no"),
    ("decision", "es", "No se preocupe, su solicitud ha sido aprobada.", "yes"),
    ("decision", "es", "Su solicitud está pendiente de revisión.", "refer"),
    ("refund", "en", "We have refunded the full amount to your card.", 1.0),
    ("refund", "en", "Unfortunately we can't give you a refund for this.", 0.0),
    ("refund", "en", "This ticket is non-refundable.", 0.0),
    ("refund", "en", "To see how refunds work, open our help page.", "no_match"),
    ("refund", "es", "No podemos ofrecerle un reembolso.", 0.0),
    ("refund", "es", "Su reembolso está en camino.", 1.0),
    ("escalation", "en", "I have passed this to our billing team.", 1.0),
    ("escalation", "en", "Happy to help.", 0.0),
    ("escalation", "es", "He pasado su caso a un compañero.", 1.0),
    ("options", "en", "You can:\n1. return it\n2. keep it\n3. swap it", 3.0),
    ("options", "en", "You can collect it, or we can send it.", 2.0),
    ("options", "en", "Please choose between three dates.", 3.0),
    ("options", "en", "Thank you.", 0.0),
    ("options", "es", "Puede recogerlo o recibirlo en casa.", 2.0),
    ("conditions", "en", "We will, provided that you pay, unless it is late.", 2.0),
    ("conditions", "es", "Lo haremos, siempre que pague.", 1.0),
    ("evidence", "en", "Please send us a photo of the damage.", 1.0),
    ("evidence", "es", "Por favor, envíenos una copia del recibo.", 1.0),
    ("evidence", "en", "Your parcel is here.", 0.0),
    ("hedges", "en", "It might arrive, perhaps on Monday.", 2.0),
    ("hedges", "es", "Quizás llegue; probablemente el lunes.", 2.0),
    ("refusal", "en", "I'm sorry, but I can't help with that.", 1.0),
    ("refusal", "es", "Lo siento, pero no puedo ayudarle con eso.", 1.0),
    ("refusal", "en", "I can help.", 0.0),
]


@pytest.mark.parametrize(("kind", "lang", "text", "wanted"), CASES)
def test_patterns_read_both_languages(kind: str, lang: str, text: str, wanted: float | str) -> None:
    """Each reply is read as a person would read it, or is said to be unreadable with its kind."""
    found = measure(text, Measured.model_validate({"kind": kind}), lang)
    assert (found.value if isinstance(found, Scored) else found.kind) == wanted


def test_a_language_without_patterns_is_a_failure_unless_the_study_brings_phrases() -> None:
    """French is not read by English patterns; phrases of the study's own are enough."""
    assert measure("Non.", Measured(kind="decision"), "fr") == Unscored("language", "there are no patterns for fr")
    own = Measured(kind="decision", positive=["c'est accordé"], negative=["c'est refusé"])
    assert measure("Désolé, c'est refusé.", own, "fr") == Scored("no")
    assert measure("Il faut un reçu.", Measured(kind="evidence", terms=["reçu"]), "fr") == Scored(1.0)


def test_a_number_is_read_after_its_term_and_never_chosen_among_several() -> None:
    """Two different numbers are a conflict, none is no match; a decimal comma is read."""
    metric = Measured(kind="number", terms=["score", "puntuación"])
    assert measure("Score: 4 of 5.", metric) == Scored(4.0)
    assert measure("La puntuación es de 3,5.", metric, "es") == Scored(3.5)
    assert measure("Score 2. Well, score 3.", metric) == Unscored("conflict", "2 different numbers")
    assert measure("Four of 5.", metric) == Unscored("no_match")


def test_hostile_text_ends_as_a_failure_not_as_a_hang() -> None:
    """Words that start many alternatives are read in bounded time."""
    for text in ("we can not " * 500, "forward " * 1000, "you can or " * 300, "1. x\n" * 1000):
        for kind in ("decision", "refund", "options", "evidence"):
            found = measure(text, Measured.model_validate({"kind": kind}), "en")
            assert isinstance(found, (Scored, Unscored))


def test_seals_of_older_kinds_keep_their_content() -> None:
    """The sealed form of a metric of an older kind has the keys it always had."""
    assert set(Measured(kind="word_count").sealed()) == {"kind", "terms", "positive", "negative", "role", "margin"}
    assert "refer" in Measured(kind="decision", refer=["my manager"]).sealed()
