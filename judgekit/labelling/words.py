"""What the labelling session says, in the rater's language."""

from __future__ import annotations

from typing import Final

from judgekit.records import Criterion

__all__ = ["LANGUAGES", "anchors_of", "duration", "question_of", "short_anchor", "short_question", "words_for"]

_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "item": "item {position} of {total}",
        "left": "about {time} left",
        "practice": "PRACTICE {n} of {total}, not stored",
        "practised": "practice: {value}",
        "practice_over": "Practice is over: from here on it counts",
        "context": "Context",
        "reply": "Reply",
        "reply_left": "Left",
        "reply_right": "Right",
        "recorded": "stored: {value}",
        "skipped": "skipped: {reason}",
        "undone": "taken back, decide again",
        "flag_set": "flagged",
        "flag_cleared": "flag removed",
        "flagged": "⚑ flagged",
        "note_kept": "note stored",
        "note_removed": "note removed",
        "noted": "✎ note",
        "too_soon": "keys ignored: {n} (too fast, or before the item was shown)",
        "off_scale": "{key} is not on this scale: {scale}",
        "unknown_key": "{key} does nothing here; {help} shows the keys",
        "nothing_to_undo": "nothing to take back",
        "pasted": "pasted text is ignored: only keys give scores ({n} ignored)",
        "disk": "NOT STORED. The item stays. {problem}",
        "more": "{percent}% read, more below",
        "end": "end of text",
        "whole": "whole text shown",
        "skip_title": "No score for this one. Why?",
        "skip_cancel": "esc: back, nothing skipped",
        "reason_unreadable": "the text cannot be read or is empty",
        "reason_language": "not in a language I read",
        "reason_rubric": "the question does not fit this text",
        "reason_context": "something needed to judge it is missing",
        "reason_other": "another reason (say it in a note)",
        "note_title": "Note on this item",
        "note_hint": "enter: store   esc: back, nothing changed",
        "rubric_title": "Anchors: {dimension}",
        "back": "esc: back",
        "scroll": "{keys}: scroll",
        "help_title": "Keys",
        "help_scores": "give this score and go on",
        "help_saved": "Every key is stored at once. There is no save key.",
        "action_left": "the left one stands higher",
        "action_right": "the right one stands higher",
        "action_tie": "no difference",
        "action_page_on": "page on; at the end: no score",
        "action_skip": "no score, with a reason",
        "action_undo": "take the last decision back",
        "action_flag": "flag, or remove the flag",
        "action_note": "write a note",
        "action_rubric": "all anchors in full",
        "action_help": "this help",
        "action_quit": "stop; go on another time",
        "action_page_down": "page down",
        "action_page_up": "page up",
        "action_line_down": "line down",
        "action_line_up": "line up",
        "short_left": "left",
        "short_right": "right",
        "short_tie": "tie",
        "short_skip": "skip",
        "short_undo": "undo",
        "short_flag": "flag",
        "short_note": "note",
        "short_rubric": "anchors",
        "short_help": "help",
        "short_quit": "stop",
        "quit_title": "Stop here?",
        "quit_saved": "Everything up to now is stored: {done} of {total} done.",
        "quit_keys": "enter: stop   esc: go on",
        "time_up": "Your time is up: a good place to stop.",
        "time_up_keys": "enter: stop   esc: go on labelling",
        "done_title": "All done. Thank you.",
        "done_counts": "{total} items: {scored} scores, {skipped} skipped, {flagged} items flagged",
        "done_keys": "{quit}: leave   {undo}: take the last decision back",
        "too_small": "Please enlarge to {width}x{height}",
        "resumed": "welcome back: {done} of {total} done",
        "start": "{total} items to label. Type one key, then enter. The scale:",
        "start_keys": "{help} and enter: the scale again, and all keys. Enter alone: the item again.",
        "action_again": "enter alone: the item again",
        "answer": "Answer ({keys}): ",
        "reason": "Reason (1-{n}, empty line: back): ",
        "note_ask": "Note (empty line: back, - removes it): ",
        "stored_so_far": "Stopped. {done} of {total} done; everything is stored.",
        "ends": "low: {low} · high: {high}",
        "higher": "Which reply stands higher on this scale?",
        "self_title": "You and yourself: items you saw twice",
        "self_line": "{dimension}: {same} of {n} the same, kappa {kappa}",
        "self_none": "{dimension}: no item was scored twice",
        "time_line": "Time per item: median {median}, not counting {pauses} of pauses",
        "others_wait": "Agreement with the others is shown when all have finished.",
        "others_title": "You and the others: texts that two people scored",
        "others_line": "{dimension}, {a} and {b}: kappa {kappa} (95% interval {interval}), n {n}",
        "raters_gave": "They gave: {scores}",
    },
    "es": {
        "item": "texto {position} de {total}",
        "left": "quedan unos {time}",
        "practice": "PRÁCTICA {n} de {total}, no se guarda",
        "practised": "práctica: {value}",
        "practice_over": "Fin de la práctica: desde ahora cuenta",
        "context": "Contexto",
        "reply": "Respuesta",
        "reply_left": "Izquierda",
        "reply_right": "Derecha",
        "recorded": "guardado: {value}",
        "skipped": "sin puntuar: {reason}",
        "undone": "retirada; decida de nuevo",
        "flag_set": "marcado",
        "flag_cleared": "marca quitada",
        "flagged": "⚑ marcado",
        "note_kept": "nota guardada",
        "note_removed": "nota quitada",
        "noted": "✎ nota",
        "too_soon": "teclas ignoradas: {n} (muy rápidas, o antes de verse el texto)",
        "off_scale": "{key} no está en esta escala: {scale}",
        "unknown_key": "{key} no hace nada aquí; {help} muestra las teclas",
        "nothing_to_undo": "no hay nada que retirar",
        "pasted": "el texto pegado se ignora: solo las teclas puntúan ({n} ignoradas)",
        "disk": "NO GUARDADO. El texto sigue aquí. {problem}",
        "more": "{percent}% leído, sigue abajo",
        "end": "fin del texto",
        "whole": "texto completo",
        "skip_title": "Sin puntuar. ¿Por qué?",
        "skip_cancel": "esc: volver sin cambios",
        "reason_unreadable": "el texto no se puede leer o está vacío",
        "reason_language": "no está en un idioma que leo",
        "reason_rubric": "la pregunta no encaja con este texto",
        "reason_context": "falta algo para poder valorarlo",
        "reason_other": "otro motivo (dígalo en una nota)",
        "note_title": "Nota sobre este texto",
        "note_hint": "intro: guardar   esc: volver sin cambios",
        "rubric_title": "Criterios: {dimension}",
        "back": "esc: volver",
        "scroll": "{keys}: mover",
        "help_title": "Teclas",
        "help_scores": "dar esta puntuación y seguir",
        "help_saved": "Cada tecla se guarda al momento. No hay tecla de guardar.",
        "action_left": "la izquierda está más arriba",
        "action_right": "la derecha está más arriba",
        "action_tie": "no hay diferencia",
        "action_page_on": "página siguiente; al final: sin puntuar",
        "action_skip": "sin puntuar, con un motivo",
        "action_undo": "retirar la última decisión",
        "action_flag": "marcar o quitar la marca",
        "action_note": "escribir una nota",
        "action_rubric": "todos los criterios completos",
        "action_help": "esta ayuda",
        "action_quit": "parar y seguir otro día",
        "action_page_down": "página abajo",
        "action_page_up": "página arriba",
        "action_line_down": "línea abajo",
        "action_line_up": "línea arriba",
        "short_left": "izquierda",
        "short_right": "derecha",
        "short_tie": "igual",
        "short_skip": "omitir",
        "short_undo": "retirar",
        "short_flag": "marcar",
        "short_note": "nota",
        "short_rubric": "criterios",
        "short_help": "ayuda",
        "short_quit": "parar",
        "quit_title": "¿Parar aquí?",
        "quit_saved": "Todo está guardado: {done} de {total} hechos.",
        "quit_keys": "intro: parar   esc: seguir",
        "time_up": "Se acabó el tiempo: buen momento para parar.",
        "time_up_keys": "intro: parar   esc: seguir puntuando",
        "done_title": "Todo hecho. Gracias.",
        "done_counts": "{total} textos: {scored} puntuaciones, {skipped} sin puntuar, {flagged} textos marcados",
        "done_keys": "{quit}: salir   {undo}: retirar la última decisión",
        "too_small": "Agrande a {width}x{height}",
        "resumed": "bienvenido de nuevo: {done} de {total} hechos",
        "start": "{total} textos por puntuar. Escriba una tecla y pulse intro. La escala:",
        "start_keys": "{help} e intro: otra vez la escala, y todas las teclas. Intro solo: otra vez el texto.",
        "action_again": "intro solo: otra vez el texto",
        "answer": "Respuesta ({keys}): ",
        "reason": "Motivo (1-{n}, línea vacía: volver): ",
        "note_ask": "Nota (línea vacía: volver, - la quita): ",
        "stored_so_far": "Parado. {done} de {total} hechos; todo está guardado.",
        "ends": "abajo: {low} · arriba: {high}",
        "higher": "¿Qué respuesta está más arriba en esta escala?",
        "self_title": "Usted consigo: textos que vio dos veces",
        "self_line": "{dimension}: {same} de {n} iguales, kappa {kappa}",
        "self_none": "{dimension}: ningún texto puntuado dos veces",
        "time_line": "Tiempo por texto: mediana {median}, sin contar {pauses} de pausas",
        "others_wait": "El acuerdo con los demás se muestra cuando todos hayan terminado.",
        "others_title": "Usted y los demás: textos que puntuaron dos personas",
        "others_line": "{dimension}, {a} y {b}: kappa {kappa} (intervalo del 95% {interval}), n {n}",
        "raters_gave": "Pusieron: {scores}",
    },
}

LANGUAGES: Final = tuple(_WORDS)
"""Languages the session speaks."""


def words_for(lang: str) -> dict[str, str]:
    """Every text of the session in one language, English when it is not spoken.

    Parameters
    ----------
    lang : str
        ``en`` or ``es``.

    Returns
    -------
    dict of str to str
        Key to text; some hold ``{places}`` for ``str.format``.
    """
    return _WORDS.get(lang, _WORDS["en"])


def _first_sentence(text: str) -> str:
    for end in (". ", "? ", "! ", "。", "\n"):
        head, found, _ = text.partition(end)
        if found:
            text = head + (end.strip() if end != ". " else "")
    return text.strip().removesuffix(".")


def question_of(criterion: Criterion, lang: str) -> str:
    """The criterion's question in a language, else in the first language it has."""
    return criterion.question.get(lang) or next(iter(criterion.question.values()))


def short_question(criterion: Criterion, lang: str) -> str:
    """The first sentence of the question; the whole of it is on the rubric screen."""
    return _first_sentence(question_of(criterion, lang))


def short_anchor(criterion: Criterion, level: int | str, lang: str) -> str:
    """The first sentence of an anchor; the whole of it is on the rubric screen.

    Parameters
    ----------
    criterion : Criterion
        With its anchors.
    level : int or str
        One of its levels.
    lang : str
        The rater's language; the first one the criterion has when it lacks this one.
    """
    return _first_sentence(anchors_of(criterion, lang)[level])


def anchors_of(criterion: Criterion, lang: str) -> dict[int | str, str]:
    """The anchors in a language, else in the first language the criterion has."""
    return dict(criterion.anchors.get(lang) or next(iter(criterion.anchors.values())))


def duration(seconds: float) -> str:
    """A length of time as people say it.

    Examples
    --------
    >>> duration(42), duration(2000), duration(9000)
    ('42 s', '33 min', '2 h 30 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
