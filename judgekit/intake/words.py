"""What columns and groups are called in English, German, Spanish and French."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

__all__ = ["GENDERS", "PEOPLE", "folded", "header_words"]

_HEADERS: Mapping[str, Mapping[str, str]] = {
    "text": {
        "English": "text bot_reply bot_response model_output model_response assistant generated_text generation "
        "prediction reply_text response_text chatbot_reply",
        "German": "antwort antworttext antwort_text bot_antwort chatbot_antwort modellantwort ausgabe",
        "Spanish": "respuesta texto texto_respuesta respuesta_bot respuesta_modelo salida contestacion",
        "French": "reponse texte sortie",
    },
    "id": {
        "English": "reply_id response_id row_id record_id uuid key no number ticket_id message_id conversation_id row",
        "German": "nummer nr lfd_nr laufnummer kennung vorgang vorgangsnummer ticketnummer datensatz",
        "Spanish": "numero num identificador codigo folio registro",
        "French": "identifiant numero",
    },
    "template_id": {
        "English": "template_name prompt_id prompt_template case case_id test_case scenario_id",
        "German": "vorlage vorlagen_id szenario fall fall_id fallnummer testfall",
        "Spanish": "plantilla escenario caso caso_id id_caso",
        "French": "modele scenario cas",
    },
    "group": {
        "English": "gender sex cohort demographic ethnicity origin race condition",
        "German": "gruppe geschlecht herkunft",
        "Spanish": "grupo genero sexo origen etnia",
        "French": "groupe genre sexe origine",
    },
    "name": {
        "English": "customer customer_name user_name client_name full_name person persona",
        "German": "kunde kundin kundenname person anrede_name absender",
        "Spanish": "nombre cliente nombre_cliente nombre_completo persona remitente",
        "French": "nom client nom_client personne",
    },
    "name_pair": {
        "English": "pair pair_id name_pair_id",
        "German": "paar namenspaar",
        "Spanish": "pareja par",
        "French": "paire",
    },
    "replicate": {
        "English": "run trial attempt iteration try",
        "German": "wiederholung durchlauf lauf versuch",
        "Spanish": "repeticion replica intento",
        "French": "repetition essai",
    },
    "context": {
        "English": "user_message customer_message query request user instruction inquiry",
        "German": "anfrage frage kundenanfrage kundennachricht nachricht",
        "Spanish": "pregunta consulta mensaje mensaje_cliente solicitud",
        "French": "question demande message_client",
    },
    "known_names": {
        "English": "names known",
        "German": "namen bekannte_namen",
        "Spanish": "nombres nombres_conocidos",
        "French": "noms",
    },
    "case_type": {
        "English": "category topic intent kind_of_case",
        "German": "falltyp kategorie thema anliegen",
        "Spanish": "tipo_caso tipo_de_caso categoria tema",
        "French": "categorie sujet",
    },
    "lang": {
        "English": "language locale",
        "German": "sprache",
        "Spanish": "idioma lengua",
        "French": "langue",
    },
}

_WOMEN = "f w female woman women girl weiblich frau frauen mujer mujeres femenino femenina femme femmes feminin"
_MEN = "m male man men boy h maennlich mannlich mann manner maenner hombre hombres masculino masculina homme hommes masculin"
_OTHERS = "d x nb enby nonbinary non_binary diverse divers no_binario no_binaria no_binarie neutral other others"

GENDERS: Mapping[str, str] = {
    **dict.fromkeys(_WOMEN.split(), "women"),
    **dict.fromkeys(_MEN.split(), "men"),
    **dict.fromkeys(_OTHERS.split(), "nonbinary"),
}
"""How a file may write a gender, folded, to the group it means."""

PEOPLE: Mapping[str, Mapping[str, tuple[str, str | None]]] = {
    "en": {"women": ("she/her", "Ms."), "men": ("he/him", "Mr."), "nonbinary": ("they/them", "Mx.")},
    "es": {"women": ("ella", "Sra."), "men": ("él", "Sr."), "nonbinary": ("elle", None)},
}
"""Pronouns and title of a group by language."""


def folded(name: str) -> str:
    """A header as words compare: small letters without accents, ``_`` between words.

    Examples
    --------
    >>> folded(" Género del-Cliente ")
    'genero_del_cliente'
    """
    bare = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    return "_".join("".join(c if c.isalnum() else " " for c in bare).split())


def header_words(canonical: str) -> dict[str, str]:
    """Folded headers that mean a canonical column, each with its language.

    Examples
    --------
    >>> header_words("text")["respuesta"]
    'Spanish'
    """
    found: dict[str, str] = {}
    for language, words in _HEADERS.get(canonical, {}).items():
        for word in words.split():
            found.setdefault(word, language)
    return found
