"""English as it is written in chats, drafts and code: what tells a person there, and the same words that do not."""

from __future__ import annotations

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import BlindedReply, Reply

BLINDER = Blinder(ner="off")


def masked(text: str, *known: str) -> str:
    """The text as it is masked, with known names or as one of which it is known that it has none."""
    return BLINDER.mask(Reply(id="1", text=text, known_names=known, names_stated=True, lang="en")).text


@pytest.mark.parametrize(
    "text",
    [
        "Heads-up on the visit: Remy dropped by to say {they}'re off sick. {They}'ll call again.",
        "Remy messaged to let us know {they}'d be late.",
        "Your draft, with shorter sentences: the judge thanked {them} for {their} candour; the prize is {theirs}.",
        "Here is the text: nobody believed {them} when {they} said so.",
        "Remy rang to say the parcels came and they're all dry.",
        "Tightened: when the lamps were dropped, they sold out, and the shop praised them.",
        "Draft: the students thanked the coach, and they left early.",
    ],
)
def test_they_in_reports_and_drafts(text: str) -> None:
    """They is masked for who reports and for the person of a draft, and kept for things and several people."""
    plain = text.replace("{", "").replace("}", "")
    assert masked(plain, "Remy", "Doyle").count("[PRONOUN]") == text.count("{")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("nice one sis 😄 next quest?", "nice one [SIBLING] 😄 next quest?"),
        ("yo king your build is live", "yo [SOMEONE] your build is live"),
        ("all hail the queen of sudoku!", "all hail the [SOMEONE] of sudoku!"),
        ("The queen takes the bishop; check the king.", "The queen takes the bishop; check the king."),
        ("A dude ranch, and the bro code.", "A dude ranch, and the bro code."),
        ("A cake for the birthday girl.", "A cake for the birthday [SOMEONE]."),
        ("Sorry about the divorce.", "Sorry about the divorce."),
        ("Our shop turned 10; free until you turn 12.", "Our shop turned 10; free until you turn 12."),
        ("We hired a podman and met plamen.", "We hired a podman and met plamen."),
    ],
)
def test_forms_of_address_in_a_chat(text: str, shown: str) -> None:
    """A friendly address is masked without its comma; chess, things and clean words beside a noun stay."""
    one = BLINDER.mask(Reply(id="1", text=text, names_stated=True, lang="en"))
    assert one.text == shown
    assert isinstance(Verifier().verify(one), BlindedReply)


@pytest.mark.parametrize(
    "text",
    [
        "Sending parcels home to {Ghana} costs £40.",
        "I know you miss {Brazil}, Remy.",
        "Your mum back in {Jamaica} wrote.",
        "Remy, a student from {Kenya}, won; Remy is half {Greek}.",
        "You and other {Ghanaians} can meet; is your accent {Irish}?",
        "The tiles come from Portugal and the coffee from Kenya.",
        "The parcel is back in Spain, Remy, at the depot.",
        "Your order from Japan and the French film are here. You missed the train.",
        "The charger is fast. Mass emails are capped.",
    ],
)
def test_origin_is_said_of_a_person(text: str) -> None:
    """A country is masked where a person comes from it, not where a parcel, a film or goods do."""
    plain = text.replace("{", "").replace("}", "")
    one = BLINDER.mask(Reply(id="1", text=plain, known_names=("Remy",), lang="en"))
    assert sum(slot.kind in {"origin", "demonym", "religion"} for slot in one.slots) == text.count("{")
    assert isinstance(Verifier().verify(one), BlindedReply)


@pytest.mark.parametrize(
    ("known", "text", "shown"),
    [
        (("Dmytro", "Kovalchuk"), "dmitri_kowaltschuk.pdf, dmytroBudget", "[PERSON_1]_[PERSON_1].pdf, [PERSON_1]"),
        (("Xiaoqing", "Zhang"), "Old card: Hsiao-ch'ing Chang.", "Old card: [PERSON_1]."),
        (("Seoyeon", "Choi"), "Also Suh-yun wrote.", "Also [PERSON_1] wrote."),
        (("Abdelrahman", "Sayed"), "Found Abdulrahman Said.", "Found [PERSON_1]."),
        (("Grace", "Lin"), "Set gracePeriod and linenCount.", "Set gracePeriod and linenCount."),
        (("Mary-Ellen", "O'Shea"), "For Mary-Ellen O'Shea.", "For [PERSON_1]."),
    ],
)
def test_known_names_in_identifiers_and_other_transliterations(known: tuple[str, ...], text: str, shown: str) -> None:
    """Parts of identifiers and the habits of other alphabets are the person's; ordinary words are not."""
    result = masked(text, *known)
    assert result.replace("[PERSON_1] [PERSON_1]", "[PERSON_1]") == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ok citlali, found it", "ok [PERSON_1], found it"),
        ("yep sorted now maryam darwish, pls check", "yep sorted now [PERSON_1], pls check"),
        ("so sorry. anahit can u send it?", "so sorry. [PERSON_1] can u send it?"),
        ("ok kubernetes, docker and podman work", "ok kubernetes, docker and podman work"),
        ("yes ofc, ping me", "yes ofc, ping me"),
        ("WELL DONE, RATNA!! Next.", "WELL DONE, [PERSON_1]!! Next."),
        ("The seat under Price is kept, see under Settings.", "The seat under [PERSON_1] is kept, see under Settings."),
        ("Let me read that back: K A N Y A, then D E N.", "Let me read that back: [PERSON_1], then [PERSON_2]."),
        ("It is spelt K-A-N. A new one is here.", "It is spelt [PERSON_1]. A new one is here."),
        ("No, Hye-jin, leave the well-being form.", "No, [PERSON_1], leave the well-being form."),
        ("Cite Mazur, R. K. (2021).", "Cite [PERSON_1]. (2021)."),
        ("Set dewiPhamScores, not loadCsvFile.", "Set [PERSON_1], not loadCsvFile."),
        ("Sex: F. Limescale drips. Sherry vinegar.", "Sex: [GENDERED]. Limescale drips. Sherry vinegar."),
    ],
)
def test_names_not_given_in_chats_code_and_lists(text: str, shown: str) -> None:
    """Without known names, where a word stands and how it is written tell that it calls somebody."""
    assert BLINDER.mask(Reply(id="1", text=text, lang="en")).text == shown
