"""Files as people have them: columns named otherwise, other separators and encodings, things missing."""

from __future__ import annotations

import csv
import io
import stat

import pytest

WOMEN = ("Anna Novak", "María Silva", "Priya Devan", "Lena Osei")
MEN = ("Peter Novak", "Marco Silva", "Arjun Devan", "Kwame Osei")
WARM = ("Thanks for the message.", "We are sorry for the delay.", "We are glad to check it.", "We hope it helps.")


def invented_rows(templates=6):
    """Rows of a counterfactual design: every message under four names of each group, twice."""
    number = 0
    for t in range(1, templates + 1):
        for group, names in (("w", WOMEN), ("m", MEN)):
            for k, name in enumerate(names):
                for run in (1, 2):
                    number += 1
                    yield {
                        "nr": number,
                        "case": f"case {t}",
                        "group": group,
                        "name": name,
                        "run": run,
                        "message": f"Where is my order number {t} with the blue things? {name}",
                        "reply": " ".join([f"Dear {name},", *WARM[: (t + k + 2 * run) % 5], f"Parcel {t} leaves on Monday."]),
                        "seconds": f"{1 + number % 7},{number % 10}",
                    }  # fmt: skip


@pytest.fixture
def write_file(tmp_path):
    """Write chosen columns of the invented rows under other headers; the mapping goes from header to our key."""

    def write(name, headers, *, delimiter=";", encoding="utf-8", rows=None):
        text = io.StringIO()
        out = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
        out.writerow(headers)
        out.writerows([[row[key] for key in headers.values()] for row in (rows or invented_rows())])
        path = tmp_path / name
        path.write_bytes(text.getvalue().encode(encoding))
        return path

    return write


@pytest.fixture
def is_private():
    """Whether only its owner can read a file."""
    return lambda path: stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


@pytest.fixture
def invented():
    """Makes the rows."""
    return invented_rows
