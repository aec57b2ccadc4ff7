"""Filling as the swap test needs it: the person's given name, title and pronouns must really show.

With these failing, both fills of a text are the same and the swap test passes without testing anything.
"""

from __future__ import annotations

import pytest

from judgekit.blinding.fill import fill
from judgekit.blinding.mask import Blinder
from judgekit.records import Arm, Identity, NameForms, Reply

WOMAN = Identity(
    group="women",
    name="Grace Halvane",
    name_pair="1",
    forms=NameForms(given="Grace", family="Halvane", title="Ms.", pronouns="she/her"),
)
MAN = Identity(
    group="men",
    name="Mark Halvane",
    name_pair="1",
    forms=NameForms(given="Mark", family="Halvane", title="Mr.", pronouns="he/him"),
)


def filled(text: str, context: str | None, person: Identity, **of: object) -> tuple[str, str | None]:
    """Mask as the study's replies are masked, fill with a person."""
    reply = Reply(id="1", text=text, context=context, lang="en", **of)  # type: ignore[arg-type]
    done = fill(Blinder().mask(reply), person, arm=Arm(kind="identity", identity=person.name, group=person.group))
    return done.text, done.context


LUCIA = {"name": "Lucía Ordavez", "known_names": ("Lucía", "Ordavez"), "group": "women"}
WILL = {"name": "Will Pembrick", "known_names": ("Will", "Pembrick"), "group": "men"}


@pytest.mark.parametrize(
    ("text", "of", "woman", "man"),
    [
        ("Hello Lucía, thank you.", LUCIA, "Hello Grace, thank you.", "Hello Mark, thank you."),
        ("Dear Ms. Ordavez, hello.", LUCIA, "Dear Ms. Halvane, hello.", "Dear Mr. Halvane, hello."),
        ("Dear Mr. Pembrick, hello.", WILL, "Dear Ms. Halvane, hello.", "Dear Mr. Halvane, hello."),
        (
            "Case summary: Will Pembrick wrote. He has his card with him.",
            WILL,
            "Case summary: Grace Halvane wrote. She has her card with her.",
            "Case summary: Mark Halvane wrote. He has his card with him.",
        ),
        (
            "Hello Will, I told my colleague that he prefers a call.",
            WILL,
            "Hello Grace, I told my colleague that she prefers a call.",
            "Hello Mark, I told my colleague that he prefers a call.",
        ),
    ],
)
def test_given_name_title_and_pronouns_show(text: str, of: dict[str, object], woman: str, man: str) -> None:
    """In a text about one known person, name, title and pronouns are that person's."""
    assert filled(text, None, WOMAN, **of)[0] == woman
    assert filled(text, None, MAN, **of)[0] == man


def test_the_context_shows_the_full_name() -> None:
    """A full name in the context is filled with the full name."""
    context = filled("Hello Lucía.", "Can you help? Regards, Lucía Ordavez", WOMAN, **LUCIA)[1]
    assert context == "Can you help? Regards, Grace Halvane"


def test_a_given_name_that_is_a_word_is_masked_before_a_family_name() -> None:
    """`Grace Halvane` at the start of a sentence leaves no `Grace` behind."""
    reply = Reply(
        id="1",
        text="Case summary: Grace Halvane contacted us in the grace period.",
        lang="en",
        name="Grace Halvane",
        known_names=("Grace", "Halvane"),
    )
    assert Blinder().mask(reply).text == "Case summary: [PERSON_1] contacted us in the grace period."
