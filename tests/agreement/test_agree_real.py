"""Agreement on the published ratings of empathic communication (Kumar and others)."""

import csv
from pathlib import Path

import pytest

from judgekit.agreement.agree import agree
from judgekit.errors import BadInput
from judgekit.records import Rating

EXPERTS = ["expert1", "expert2", "expert3"]


@pytest.fixture(scope="module")
def real() -> Path:
    """The folder of real ratings beside the checkout."""
    folder = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "real"
    if not (folder / "empathy_ratings.csv").exists():
        pytest.skip("../shared/data/real/empathy_ratings.csv is not there")
    return folder


@pytest.fixture(scope="module")
def ratings(real: Path) -> list[Rating]:
    """All rows, the crowd's fractions included."""
    with (real / "empathy_ratings.csv").open(encoding="utf-8", newline="") as file:
        return [
            Rating(
                item=row["item"],
                dimension=row["dimension"],
                annotator=row["annotator"],
                score=float(row["score"]) if row["score"] else None,
                line=line,
                carried={"dataset": row["dataset"]},
            )
            for line, row in enumerate(csv.DictReader(file), start=2)
        ]


def test_expert_pairs_reach_the_published_kappas(real: Path, ratings: list[Rating]) -> None:
    """Every published quadratic kappa is met to two decimals, but the one that left an unused level out."""
    report = agree(
        ratings, judge="gpt", humans=EXPERTS, levels=[1, 2, 3, 4, 5], weights="quadratic", by="dataset", draws=0
    )
    with (real / "empathy_published_agreement.csv").open(encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(file))
    assert len(published) == 27
    for row in published:
        found = report.find(row["dimension"], *row["pair"].split("|"), by=row["dataset"])
        assert found.n == 50
        assert found.missing == 0
        assert isinstance(found.spearman, float)
        assert round(found.spearman, 2) == pytest.approx(float(row["spearman"]), abs=1e-9)
        if (row["dimension"], row["pair"]) == ("self_oriented", "expert1|expert2"):
            # published as 0.82: the levels were ranked after dropping the one nobody used
            assert found.kappa == pytest.approx(0.786, abs=5e-4)
        else:
            assert round(found.kappa, 2) == pytest.approx(float(row["kappa_quadratic"]), abs=1e-9)


def test_the_crowd_is_refused_only_when_it_is_asked_for(ratings: list[Rating]) -> None:
    """Fractions of an annotator that is not named disturb nobody; named, they are off the scale, with their line."""
    with pytest.raises(BadInput, match="not one of the declared levels") as caught:
        agree(ratings, judge="gpt", humans=["crowd"], levels=[1, 2, 3, 4, 5], by="dataset")
    offender = ratings[(caught.value.line or 0) - 2]
    assert offender.annotator == "crowd"
    assert offender.score == caught.value.seen
