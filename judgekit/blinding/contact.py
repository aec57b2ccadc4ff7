"""Mail addresses, handles, phone numbers, IBANs and card numbers: contact details that name or reach a person."""

from __future__ import annotations

from collections.abc import Callable

import regex

from judgekit.blinding.fold import Span, View, patience

__all__ = ["find_contacts"]

_T = 1.0
_ROLE = (
    r"(?:support|info|help|helpdesk|hello|contact|service|services|care|customer[-_.]?(?:care|service|support)|sales|billing|accounts?|orders?|"
    r"returns?|refunds?|no-?reply|do-?not-?reply|admin|office|team|press|jobs|careers|hr|privacy|legal|security|feedback|claims|bookings?|"
    r"reservations?|news|newsletter|mail|postmaster|webmaster|abuse|enquiries|inquiries|complaints|payments?|invoices?|warranty|"
    r"soporte|ayuda|atencion|atencionalcliente|clientes?|ventas|pedidos|devoluciones|reembolsos|facturacion|contacto|reservas|hola|informacion)"
)
_MAIL = regex.compile(
    rf"(?<![\w.+-])(?!{_ROLE}@)[\p{{L}}\p{{M}}\p{{N}}._%+'-]{{1,64}}+@[\p{{L}}\p{{M}}\p{{N}}-]{{1,63}}+(?:\.[\p{{L}}\p{{M}}\p{{N}}-]{{1,63}}+){{1,5}}"
)
_HANDLE = regex.compile(
    r"(?<![\w@/.])@(?!(?:\w*(?:support|helpdesk|official|customerservice|customercare|service)|(?:[a-z]+_)?(?:help|care|team|shop|store|media|news|info|app|hq|uk|us|es)(?:_[a-z]+)?|import|property|staticmethod|classmethod|dataclass|pytest|param|return|returns|override|media|charset|keyframes|font|supports)(?![\p{L}\p{N}_]))[\p{L}_][\p{L}\p{N}_.]{1,40}+(?<![.])"
)
_PROFILE = regex.compile(
    r"(?<=(?:/(?:u|user|users|profile|profiles|in|people|member|members|usuario|usuarios|perfil|~)/|/[@~])|(?:^|[\s(,;])u/(?=[\p{L}\d_-]{4}))[\p{L}\p{N}][\p{L}\p{N}._%-]{1,60}+"
)
_PHONE = regex.compile(
    r"(?<![\w.,:/#$€£-])(?:\+|00)\d{1,3}[ .\-(]{0,2}\d(?:[ .\-()]{0,2}\d){6,12}(?![\w-])|(?<![\w.,:/#$€£-])\(?0\d{2,4}\)?[ -]\d{3,4}[ -]?\d{3,4}(?![\w-])|(?<![\w.,:/#$€£-])\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}(?![\w-])"
)
_IBAN = regex.compile(r"(?<!\w)[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,4})?(?!\w)")
_CARD = regex.compile(r"(?<![\w-])(?:\d{4}[ -]){3}\d{1,7}(?![\w-])|(?<![\w#-])\d{15,16}(?![\w-])")


def _luhn(digits: str) -> bool:
    total = 0
    for k, char in enumerate(reversed(digits)):
        n = int(char) * (2 if k % 2 else 1)
        total += n - 9 if n > 9 else n
    return total % 10 == 0


def _iban(text: str) -> bool:
    packed = text.replace(" ", "")
    if not 15 <= len(packed) <= 34 or not packed.isascii() or not packed.isalnum():
        return False
    turned = packed[4:] + packed[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


_FOURS = regex.compile(r"[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}")
_PRINTED = regex.compile(r"[a-z]{2}\d{2}(?: [a-z]{0,4}\d{2,4}){3,7}(?: [a-z0-9]{1,4})?")


def _grouped(text: str) -> bool:
    """Four groups of four digits, as on a card, whatever the check digit: people mistype and invent numbers."""
    return _FOURS.fullmatch(text, timeout=_T) is not None


def _printed_iban(text: str) -> bool:
    """Country, check digits and groups of four, as an IBAN is printed, whatever its check digits."""
    return len(text) >= 18 and _PRINTED.fullmatch(text, timeout=_T) is not None


_FEWEST_OF_PHONE, _FEWEST_OF_CARD = 8, 13  # digits


def _digits(view: View) -> int:
    """How many characters the words have that begin with a digit: most texts have too few for the patterns below."""
    return sum([len(w) for w in view.words if w[0].isdigit()]) if view.plain else len(view.folded)


def find_contacts(view: View) -> list[Span]:
    """Find contact details, whoever they belong to. Addresses of a role (support@, billing@) stay.

    Parameters
    ----------
    view : View
        The folded text.

    Returns
    -------
    list of Span

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Write to ana.r@mail.example or support@shop.example, +44 20 7946 0958.")
    >>> [(view.text[s.start:s.end], s.shown) for s in find_contacts(view)]
    [('ana.r@mail.example', '[EMAIL]'), ('+44 20 7946 0958', '[PHONE]')]
    """
    text = view.folded
    spans: list[Span] = []

    def put(found: regex.Match[str], kind: str, shown: str) -> None:
        begin, until = view.source(found.start(), found.end())
        spans.append(Span(begin, until, kind, shown, "", None, False, 80))

    if "@" in text:
        for found in _MAIL.finditer(text, timeout=patience(text)):
            put(found, "email", "[EMAIL]")
        for found in _HANDLE.finditer(text, timeout=patience(text)):
            put(found, "handle", "[HANDLE]")
    if "/" in text:
        for found in _PROFILE.finditer(text, timeout=patience(text)):
            put(found, "handle", "[HANDLE]")
    if view.has_digit:
        _numbers(view, put)
    return spans


def _numbers(view: View, put: Callable[[regex.Match[str], str, str], None]) -> None:
    """Phone, card and account numbers."""
    text, digits = view.folded, _digits(view)
    if digits >= _FEWEST_OF_PHONE:
        for found in _PHONE.finditer(text, timeout=patience(text)):
            put(found, "phone", "[PHONE]")
    if digits >= _FEWEST_OF_CARD:
        for found in _CARD.finditer(text, timeout=patience(text)):
            if _grouped(found.group()) or _luhn("".join(c for c in found.group() if c.isdigit() and c.isascii())):
                put(found, "card", "[CARD]")
    if not view.plain or any(w[2:4].isdigit() and w[:2].isalpha() for w in view.words):
        for found in _IBAN.finditer(text, timeout=patience(text)):
            if _iban(found.group()) or _printed_iban(found.group()):
                put(found, "iban", "[IBAN]")
