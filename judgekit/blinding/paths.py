"""Unknown names in file names and in the folders of users."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterator

import regex

from judgekit.blinding.candidates import Lists
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View, patience

__all__ = ["home_folders", "in_files", "in_identifiers", "in_queries", "of_papers", "own_papers"]

_HOME = regex.compile(
    r"(?:/home/|/users/|\\users\\)(?P<who>[\p{L}][\p{L}\p{M}\d._-]{1,40}?)(?=[/\\\s`'\",;)]|[.:]?(?:\s|$))"
)
_NOBODY = frozenset(
    "user users username usuario name you me admin administrator root public shared default ubuntu debian pi git guest app node deploy vagrant "
    "jenkins runner www postgres mysql nginx docker dev build test hadoop oracle ec2 centos steam student".split()
)


def in_files(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """anna_novak_invoice.pdf, /home/anna.novak: two unknown words in a row inside an identifier.

    Parameters
    ----------
    view : View
        The folded text.
    lists : Lists
        What is no name by itself.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    if not any(mark in view.folded for mark in "_/:="):
        return
    k = 0
    while k < len(view.words) - 1:
        end = k
        while (
            end + 1 < len(view.words)
            and view.between(end, end + 1) in {"_", ".", "-"}
            and all(w.isalpha() and len(w) > 2 and lists.unknown(w) for w in view.words[end : end + 2])
        ):
            end += 1
        joined = view.text[slice(*view.source(view.starts[k], view.ends[end]))]
        keyed = k > 0 and view.words[k - 1] in _WHOSE and view.before(k).strip(" \"'") in {":", "="}
        if end > k and ("_" in joined or view.before(k)[-1:] == "/" or keyed) and not view.before(k).endswith("//"):
            yield k, end + 1
        k = end + 1


_WHOSE = frozenset(
    "user username login owner author assignee name account actor reviewer requester committer sender recipient usuario autor cuenta propietario".split()
)
_CAMEL = regex.compile(r"\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})")
_SAYABLE = regex.compile(r"(?!.*[^aeiouy]{4})(?=.*[aeiouy].*[aeiouy])[a-z]{5,}")
_JARGON = frozenset(
    "async config configs params kwargs dataframe numpy pandas scipy regex stdin stdout stderr argparse datetime timestamp uuid utils util helper "
    "hostname filename filenames dirname pathname username localhost middleware webhook webhooks backend frontend dropdown navbar sidebar tooltip "
    "checkbox textarea onclick onload tokenizer tokenize serializer serialize deserialize parser renderer iterator enum tuple boolean nullable "
    "readonly readme changelog makefile dockerfile gitignore webpack eslint prettier kubectl systemd journald sudoers crontab iptables ifconfig "
    "resolv initrd initramfs modprobe sysctl dataset datasets dataloader epoch minibatch softmax sigmoid relu argmax onehot hyperparameter "
    "metadata namespace namespaces autoload autosave autofill unsubscribe subdomain timezone locale unicode codepoint sqlalchemy pytest unittest".split()
)


def in_identifiers(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """feature/deepika-login-fix, sengupta_orders, GetLeopoldAccount: one unknown word among ordinary ones in an identifier.

    Parameters
    ----------
    view : View
        The folded text.
    lists : Lists
        What is no name by itself.

    Yields
    ------
    (int, int)
        First word and the word after the last.

    Examples
    --------
    >>> from judgekit.blinding.candidates import lists_of
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Run `sengupta_orders` on branch feature/deepika-login-fix, then numpy_array.")
    >>> [view.words[i] for i, _ in in_identifiers(view, lists_of(view, "en"))]
    ['sengupta', 'deepika']
    """
    for k, word in enumerate(view.words):
        raw = view.raw(k)
        if len(word) > 7 and any(c.isupper() for c in raw[1:]) and not raw.isupper():
            parts = [p.casefold() for p in _CAMEL.findall(raw, timeout=1.0)]
            odd = [p for p in parts if _name_like(p, lists)]
            short = [p for p in parts if _short_name(p, lists)]  # dewiPhamScores: two unknown words side by side
            pair = len(short) == 2 and any(parts[n : n + 2] == short for n in range(len(parts) - 1))
            odd = short if pair else odd
            if (len(odd) == 1 or pair) and len(parts) > 1 and all(p in odd or not lists.unknown(p) for p in parts):
                yield k, k + 1
            continue
        if not raw.islower() or not _name_like(word, lists):
            continue
        sides = [(k - 1, view.before(k)), (k + 1, view.after(k))]
        glued = [(n, gap) for n, gap in sides if 0 <= n < len(view.words) and gap in {"_", "-", "/"}]
        owned = k + 1 < len(view.words) and view.after(k) == "-" and view.words[k + 1] in _DEVICES
        if owned and not (glued and glued[0][0] < k) and (view.before(k)[-1:] or " ").isspace():
            yield k, k + 1
            continue
        ordinary = [n for n, _ in glued if view.words[n] in lists.vocabulary]
        if glued and len(ordinary) == len(glued) and any(gap in {"_", "/"} for _, gap in glued):
            yield k, k + 1


_SHORT = regex.compile(r"(?!.*[^aeiouy]{4})(?=.*[aeiouy])[a-z]{3,}")


def _short_name(word: str, lists: Lists) -> bool:
    return word not in _JARGON and _SHORT.fullmatch(word, timeout=1.0) is not None and lists.unknown(word)


def _name_like(word: str, lists: Lists) -> bool:
    return word not in _JARGON and _SAYABLE.fullmatch(word, timeout=1.0) is not None and lists.unknown(word)


_QUERY = regex.compile(r"[?&](?P<key>[a-z_-]{2,16})=(?P<value>[^&\s\"'<>)]{2,60})")
_GIVEN_KEYS = frozenset(
    "given given_name givenname first first_name firstname fname last last_name lastname lname family family_name surname forename nombre apellido".split()
)
_NAME_KEYS = frozenset(
    "name user username customer client guest author owner contact recipient passenger patient fullname full_name".split()
)


def in_queries(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """?given=Bogumi%C5%82a, &name=wrona: the value of a parameter that holds a name.

    Parameters
    ----------
    view : View
        The folded text.
    lists : Lists
        What is no name by itself.

    Yields
    ------
    (int, int)
        First word and the word after the last.

    Examples
    --------
    >>> from judgekit.blinding.candidates import lists_of
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("See /form?given=Hope&name=wireless+mouse&user=wrona")
    >>> [view.words[i] for i, _ in in_queries(view, lists_of(view, "en"))]
    ['hope', 'wrona']
    """
    if "=" not in view.folded:
        return
    at = {start: k for k, start in enumerate(view.starts)}
    until = {end: k for k, end in enumerate(view.ends)}
    for found in _QUERY.finditer(view.folded, timeout=patience(view.folded)):
        first, last = at.get(found.start("value")), until.get(found.end("value"))
        if first is None or last is None:
            continue
        words = view.words[first : last + 1]
        sure = found.group("key").replace("-", "_") in _GIVEN_KEYS
        if all(w.isalpha() for w in words) and (
            sure or (found.group("key") in _NAME_KEYS and all(lists.unknown(w) and w not in _NOBODY for w in words))
        ):
            yield first, last + 1


_DEVICES = frozenset(
    "pc laptop mac macbook iphone ipad phone desktop notebook tablet chromebook imac workstation pixel galaxy macmini mbp".split()
)


def home_folders(view: View) -> Iterator[tuple[int, int]]:
    """/home/ngozi_u/.ssh: the folder of somebody's own.

    Parameters
    ----------
    view : View
        The folded text.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    at = {start: k for k, start in enumerate(view.starts)}
    until = {end: k for k, end in enumerate(view.ends)}
    for found in (
        _HOME.finditer(view.folded, timeout=patience(view.folded)) if "/" in view.folded or "\\" in view.folded else ()
    ):
        start, end = found.span("who")
        if start in at and end in until and view.words[at[start]] not in _NOBODY:
            yield at[start], until[end] + 1


_PAPERS = frozenset(
    ("cv", "resume", "curriculum", "passport", "payslip", "diploma", "transcript", "dni", "nomina", "titulo")
)
_EXTENSION = regex.compile(r"(?:[_.-][a-z0-9]+){0,3}?\.(?:pdf|docx?|odt|txt|jpe?g|png|tiff?|zip|heic)\b")
_SURNAMES = rule_words("people")["surnames"]


def of_papers(view: View, i: int) -> bool:
    """Whether a word says whose papers a file holds: cv_young_small.pdf.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word.

    Returns
    -------
    bool
    """
    return (
        i > 0
        and view.words[i - 1] in _PAPERS
        and view.before(i) in {"_", "-", "."}
        and _EXTENSION.match(view.folded, view.ends[i], timeout=1.0) is not None
    )


def own_papers(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """A given name and a surname that are both words, in the file name of a person's papers; then the surname alone.

    Parameters
    ----------
    view : View
        The folded text.
    lists : Lists
        What is no name by itself.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    at = [k for k in range(1, len(view.words)) if view.words[k - 1] in _PAPERS and of_papers(view, k)]
    given = lists.things.word_names - lists.things.calendar
    surnames: set[str] = set()
    for k in at:
        following = view.words[k + 1]
        if view.words[k] in given and view.after(k) in {"_", "-"} and following in _SURNAMES:
            surnames.add(following)
            yield k, k + 2
    for k in at:
        if view.words[k] in surnames:
            yield k, k + 1
