"""The blocks of study.yaml: every key documented, with its unit and default."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

__all__ = [
    "Blinding",
    "Block",
    "Calibration",
    "CsvFormat",
    "Data",
    "Decided",
    "DifferentialBias",
    "Gate",
    "GroupValue",
    "Groups",
    "JudgeSettings",
    "Labels",
    "MaxWithheld",
    "NameEntry",
    "PerGroup",
    "Privacy",
    "Quotes",
    "ReportSettings",
    "RubricUse",
    "Statistics",
    "SwapTest",
    "System",
    "Threshold",
]


class Block(BaseModel):
    """A frozen block of keys; unknown ones are refused."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
        allow_inf_nan=False,  # an infinite tolerance or margin would be no limit at all
    )


class System(Block):
    """The chatbot under test. Hashed: a change is a new experiment."""

    name: str | None = None
    """What the system is called."""
    version: str | None = None
    """Its release."""
    model: str | None = None
    """The model behind it."""
    prompt_file: Path | None = None
    """Its system prompt; the file's hash goes into the manifest."""
    tested: str | None = None
    """When the replies were collected."""


class CsvFormat(Block):
    """How a CSV file is written, where sniffing is not wanted."""

    delimiter: str | None = None
    """Field separator, such as ``;``."""
    decimal: Literal[".", ","] | None = None
    """Decimal mark."""
    encoding: str | None = None
    """Such as ``utf-8`` or ``cp1252``."""


class Data(Block):
    """Where the replies are."""

    replies: Path
    """CSV, JSONL or Parquet, relative to the study file."""
    columns: dict[str, str] = Field(default_factory=dict)
    """Our column name to the file's."""
    csv: CsvFormat = Field(default_factory=CsvFormat)
    """Overrides what sniffing finds."""
    lang: str = "auto"
    """Language of the replies: ``en``, ``es`` or ``auto``; a ``lang`` column wins."""
    design: Literal["counterfactual", "observational"] = "counterfactual"
    """Observational replies are never called a group effect."""


class NameEntry(Block):
    """A person of a group."""

    given: str
    """Given name as the replies write it."""
    family: str | None = None
    """Family name."""
    title: str | None = None
    """Title, such as ``Ms``."""
    pronouns: str | None = None
    """Such as ``she/her``, ``he/him``, ``they/them``, ``ella``, ``él``."""


class GroupValue(Block):
    """One group."""

    label: str | None = None
    """How reports call it."""
    pronouns: str | None = None
    """Default pronouns of its people."""
    title: str | None = None
    """Default title of its people."""
    names: list[str | NameEntry] = Field(default_factory=list)
    """Its people, in the order in which they are matched with the other groups'."""


class Groups(Block):
    """What is compared."""

    attribute: str
    """Such as ``gender``."""
    values: dict[str, GroupValue] = Field(default_factory=dict)
    """Groups by the value that the replies' ``group`` column holds."""
    comparisons: Literal["all"] | list[tuple[str, str]] = "all"
    """Pairs to compare, first minus second; ``all`` takes every pair in the order of ``values``."""
    claim: Literal["groups", "these_names"] = "groups"
    """``groups``: names are a random factor; ``these_names``: the claim is about exactly these names."""
    names_chosen_by: str | None = None
    """Who chose the names, and how."""
    not_tested: list[str] = Field(default_factory=list)
    """Attributes that were not tested, said plainly on the report."""


class MaxWithheld(Block):
    """How much may be withheld before judged metrics are refused."""

    share: float = Field(0.10, ge=0, le=1)
    """Largest share of replies withheld in any group, in [0, 1]."""
    gap: float = Field(0.05, ge=0, le=1)
    """Largest difference in that share between two groups."""


class Blinding(Block):
    """How cues are found."""

    ner: Literal["auto", "on", "off"] = "auto"
    """Look for other people's names with a language model."""
    packs: list[Path] = Field(default_factory=list)
    """Cue packs of your own."""
    extra_cues: list[str] = Field(default_factory=list)
    """Words that give the group away in these replies."""
    keep: list[str] = Field(default_factory=list)
    """Words that are never cues here, such as product names."""
    contact_details: Literal["mask", "keep"] = "mask"
    """Mask mail addresses, phone, card and order numbers."""
    max_withheld: MaxWithheld = Field(default_factory=MaxWithheld)
    """Limits on withheld replies."""


class RubricUse(Block):
    """A rubric in use; its role and margin hold for each of its dimensions."""

    rubric: str
    """A bundled rubric's name or a YAML file."""
    role: Literal["primary", "secondary"] = "secondary"
    """Primary metrics are not corrected for multiple comparisons."""
    margin: float | None = Field(None, gt=0)
    """Gaps inside plus or minus this many points pass the gate."""


class JudgeSettings(Block):
    """The judge."""

    spec: str = "lexicon"
    """``lexicon``, ``openai:MODEL``, ``anthropic:MODEL``, ``python:pkg.mod:func``, ``command:CMD``, ``local:FILE.gguf``,
    ``replay:LEDGER`` and so on; relative paths of files begin at the study's folder."""
    base_url: str | None = None
    """Endpoint address; never with a key in it."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key."""
    temperature: float = Field(0.0, ge=0)
    """Sampling temperature; for judges over the network."""
    max_tokens: int = Field(1024, ge=1)
    """Bound of one answer, reasoning included; for judges over the network."""
    score: Literal["point", "expected"] = "point"
    """``expected``: the mean over the levels by token probabilities, from judges that give them; all scores or none."""
    repeats: int = Field(1, ge=1)
    """How often each text is judged."""
    concurrency: int = Field(4, ge=1, le=1024)
    """Requests under way at once."""
    injection: bool = False
    """Run the suite of hostile replies: about 90 more calls for each rubric."""
    prices: dict[str, float] = Field(default_factory=dict)
    """Price per million tokens: ``input``, ``output``."""
    max_cost: float | None = Field(None, gt=0)
    """Stop a run before it spends more than this, in all its parts together; see ``max_calls``."""
    max_calls: int | None = Field(None, ge=1)
    """Stop a run (exit 3) before it sends more requests than this: judging, anchors, swap test, pairs, hostile replies and
    rewording together, retries included. What earlier runs have sent does not count again; the next run goes on."""
    batch: bool = False
    """Hand the calls over in batches (openai, anthropic): half the price, up to 24 hours."""
    timeout: float = Field(60.0, gt=0)
    """Seconds for one attempt."""
    retries: int = Field(3, ge=0)
    """Further attempts after a fault that may pass."""


class SwapTest(Block):
    """Does the judge react to the group when it can see it?"""

    texts: int = Field(80, ge=1)
    """Texts that are filled with identities."""
    control: Literal["identical"] = "identical"
    """The control pair: the same filled text judged twice."""
    paraphrase: str = "rules"
    """The rewording baseline: ``rules`` (offline), ``none``, or a judge's spec that rewords, such as ``openai:MODEL``
    (at the judge's address and with its key where it is of the same provider)."""
    pairs: int = Field(0, ge=0)
    """Pairs of replies compared under swapped names in both orders, eight calls each; 0: none."""
    margin: float = Field(0.10, gt=0)
    """Points within which a shift counts as none; for pairs, wins minus losses as a share."""
    when_failed: Literal["refuse", "require_blinding"] = "refuse"
    """``require_blinding`` reports on blinded text only and prints that condition."""

    @field_validator("paraphrase")
    @classmethod
    def _paraphrase(cls, value: str) -> str:
        kind, colon, rest = value.partition(":")
        named = kind in {"openai", "anthropic", "local", "command", "python"} and colon and rest.strip()
        if value not in {"rules", "none"} and not named:
            raise ValueError("give rules, none, or who rewords, such as openai:MODEL")
        return value


class Labels(Block):
    """People's scores."""

    folder: Path = Path("labels")
    """Folder of the label files, relative to the study."""
    scope: Literal["this_run", "anchors"] = "this_run"
    """Labels on these replies, or a frozen set judged again in every build."""
    anchors: Path | None = None
    """For ``scope: anchors``: the set that `judgekit labels freeze` wrote, relative to the study."""
    anchors_sha256: str | None = Field(None, pattern="^[0-9a-f]{64}$")
    """The set's SHA-256 as `labels freeze` told it: any other file is bad input."""
    annotators: list[str] = Field(default_factory=list)
    """Who labels."""
    n: int = Field(200, ge=1)
    """Texts in the sample."""
    overlap: float = Field(1.0, ge=0, le=1)
    """Share of texts that every annotator labels."""
    repeats: float = Field(0.10, ge=0, le=0.5)
    """Share shown twice, for self-agreement."""
    strata: list[str] = Field(default_factory=lambda: ["group", "template_id"])
    """What the draw is stratified by."""
    practice: int = Field(3, ge=0, le=20)
    """Texts beside the sample that each rater practises on first; their scores are not stored."""
    tryout: int = Field(20, ge=0, le=100)
    """Texts beside the sample for `judgekit tryout`, where two people try the rubric before the real ones."""
    reference: Literal["mean", "adjudicated", "each"] = "mean"
    """Agreement with people: mean over people, the adjudicated label, or each person."""

    @model_validator(mode="after")
    def _which_labels(self) -> Labels:
        if (self.scope == "anchors") != (self.anchors is not None):
            raise ValueError("scope anchors and the key anchors (the file of `judgekit labels freeze`) go together")
        if self.anchors_sha256 is not None and self.anchors is None:
            raise ValueError("anchors_sha256 pins the file of the key anchors")
        return self


class Threshold(Block):
    """What the lower bound of kappa must reach."""

    kind: Literal["absolute", "ceiling"] = "absolute"
    """``ceiling``: no more than 0.10 below human-human kappa, with a floor of 0.40."""
    kappa: float = Field(0.60, ge=0, le=1)
    """For ``absolute``."""


class PerGroup(Block):
    """What kappa must reach in every group."""

    kappa: float = Field(0.50, ge=0, le=1)
    """The threshold."""
    measure: Literal["point", "bound"] = "point"
    """The estimate, or the bound when a group has 100 labels or more."""


class DifferentialBias(Block):
    """How far the judge's error may differ between groups."""

    tolerance: float = Field(0.25, gt=0)
    """In points of the scale."""


class Calibration(Block):
    """When a judged metric may be reported."""

    threshold: Threshold = Field(default_factory=Threshold)
    """On the one-sided lower 95% bound of kappa."""
    per_group: PerGroup = Field(default_factory=PerGroup)
    """In every group."""
    differential_bias: DifferentialBias = Field(default_factory=DifferentialBias)
    """Between groups."""
    human_kappa: float = Field(0.60, ge=0, le=1)
    """People among themselves."""
    min_labels: int = Field(50, ge=2)
    """Labelled texts."""
    min_raters: int = Field(2, ge=1)
    """1 is allowed when set; "human agreement not measured" then stands on every output."""
    failure_gap: float = Field(0.05, gt=0, le=1)
    """Largest difference between groups in the share of replies that the judge did not score."""
    override_reason: str | None = None
    """Needed for thresholds under 0.40; printed on the report."""

    @model_validator(mode="after")
    def _low(self) -> Calibration:
        lowest = min(
            self.per_group.kappa, self.human_kappa, self.threshold.kappa if self.threshold.kind == "absolute" else 1
        )
        if lowest < 0.40 and not (self.override_reason or "").strip():
            raise ValueError(f"a threshold of {lowest:g} is under 0.40 and needs override_reason")
        return self


class Statistics(Block):
    """How gaps are computed."""

    interval: float = Field(0.95, gt=0.5, lt=1)
    """Level of the intervals; 0.90 matches two one-sided tests at 0.05."""
    correction: Literal["bonferroni", "holm", "bh", "by"] = "bh"
    """For metrics that are not primary."""
    seed: int = 20260101
    """Seed of every draw."""


class Gate(Block):
    """Red or green."""

    estimate: Literal["corrected", "raw"] = "corrected"
    """Which estimate of a judged gap is held against the margin."""
    exit_codes: dict[Literal["warn", "refused"], int] = Field(default_factory=dict)
    """Other exit codes for ``warn`` (4) and ``refused`` (5)."""

    @field_validator("exit_codes")
    @classmethod
    def _codes(cls, value: dict[str, int]) -> dict[str, int]:
        if any(not 0 <= code <= 125 for code in value.values()):
            raise ValueError("exit codes are 0 to 125")
        return value


class Decided(Block):
    """Who decided the thresholds, and when."""

    by: str | None = None
    """A name or a role."""
    date: str | None = None
    """Such as 2026-02-03."""
    note: str | None = None
    """Why these."""


class Quotes(Block):
    """Replies quoted in the report."""

    n: int = Field(2, ge=0, le=20)
    """How many pairs."""


class ReportSettings(Block):
    """The write-up."""

    language: Literal["en", "es"] = "en"
    """Language of report.md and of the HTML page; `judgekit report RUN --language` writes them in another. No decision of
    the study, and so not sealed."""
    quotes: Quotes = Field(default_factory=Quotes)
    """Replies quoted in it."""
    owner: str | None = None
    """Who takes the next steps."""
    due: str | None = None
    """By when."""


class Privacy(Block):
    """Whose words these are."""

    people: Literal["real", "invented"] = "real"
    """Only replies about invented people are ever quoted unblinded."""
    keep_raw_days: int | None = Field(None, ge=0)
    """Days after which `judgekit purge STUDY` removes runs and raw answers; None: only when told on the command line."""
