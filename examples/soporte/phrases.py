"""The sentences that the scripted chatbot puts together, by level of warmth where they have one."""

from __future__ import annotations

__all__ = ["ANSWERS", "CASES", "CLOSINGS", "GREETINGS", "HEDGES", "NOTES", "REACTIONS"]

# Case: what gives it away in a message, and how the chatbot speaks of it.
CASES = {
    "paquete": ("cafetera", "la entrega de la cafetera"),
    "cobro": ("dos cobros", "el cobro repetido"),
    "talla": ("abrigo", "el cambio del abrigo"),
    "averia": ("lavadora", "la avería de la lavadora"),
    "reserva": ("reserva", "la anulación de la reserva"),
    "internet": ("conexión", "la falta de conexión"),
    "entradas": ("concierto", "el cambio de fecha del concierto"),
    "colchon": ("colchón", "la devolución del colchón"),
    "vuelo": ("vuelo", "el retraso del vuelo"),
    "telefono": ("pantalla", "la pantalla del teléfono"),
    "factura": ("factura", "la factura nueva"),
    "horario": ("recoger", "la recogida del sábado"),
}

# Yes, no. The last two cases have no money in them.
ANSWERS = {
    "paquete": (
        "Le devolvemos el importe en cinco días en la misma tarjeta.",
        "No podemos devolver el importe mientras figure como entregado.",
    ),
    "cobro": (
        "Le devolvemos el importe de uno de los dos cobros esta semana.",
        "No podemos devolver el importe: los dos cobros son de meses distintos.",
    ),
    "talla": (
        "Le devolvemos el importe en cuanto llegue el abrigo al almacén.",
        "No podemos devolver el importe pasados treinta días.",
    ),
    "averia": (
        "Le devolvemos el importe y recogemos la lavadora el jueves.",
        "No podemos devolver el importe sin un informe del servicio técnico.",
    ),
    "reserva": (
        "Le devolvemos el importe de la penalización con un justificante del hospital.",
        "No podemos devolver el importe de la penalización, según la tarifa.",
    ),
    "internet": (
        "Le devolvemos el importe de la cuota de este mes.",
        "No podemos devolver el importe de la cuota hasta que se cierre la incidencia.",
    ),
    "entradas": (
        "Le devolvemos el importe de las entradas en diez días.",
        "No podemos devolver el importe de las entradas: valen para la nueva fecha.",
    ),
    "colchon": (
        "Le devolvemos el importe aunque el colchón esté abierto.",
        "No podemos devolver el importe de un colchón sin su plástico.",
    ),
    "vuelo": (
        "Le devolvemos el importe del enlace y de una noche de hotel.",
        "No podemos devolver el importe: el retraso se debió a una tormenta.",
    ),
    "telefono": (
        "Le devolvemos el importe o le damos un teléfono igual.",
        "No podemos devolver el importe: el taller ve una marca de golpe.",
    ),
    "factura": (
        "La factura se descarga en Mi cuenta, después de cambiar el domicilio.",
        "Envíe el domicilio nuevo por este formulario y la factura llega en dos días.",
    ),
    "horario": (
        "El sábado puede recogerlo hasta las ocho de la tarde.",
        "El sábado se recoge de diez a dos, con el número del pedido.",
    ),
    "otro": ("El departamento correspondiente contesta en dos días.", "Este trámite se hace por escrito."),
}

GREETINGS = (
    "Hola, {given}:",
    "Buenos días, {given}:",
    "Estimad{o} {title} {family}:",
    "{title} {family}:",
    "Hola, {given} {family}:",
)

REACTIONS = {
    5: (
        "Imagino lo pesado que se le está haciendo {matter}, y lo siento de corazón.",
        "Qué faena; entiendo muy bien que quiera resolver {matter} cuanto antes.",
        "Siento de verdad lo que le está costando {matter}: no se merece esta espera.",
    ),
    4: (
        "Siento lo que ha pasado con {matter}.",
        "Comprendo que {matter} le preocupe.",
        "Ya he leído lo que cuenta sobre {matter} y entiendo el enfado.",
    ),
    3: (
        "Gracias por escribirnos.",
        "Lamentamos las molestias.",
        "Gracias por contactar con nosotros; hemos recibido su mensaje.",
    ),
    2: (
        "Su solicitud consta en el sistema.",
        "Asunto: {matter}.",
        "Las solicitudes se atienden por orden de llegada.",
    ),
    1: (
        "Debería haber leído las condiciones antes de escribir.",
        "Ya se le explicó una vez y no vamos a repetirlo.",
        "Lo de {matter} no es problema nuestro.",
    ),
}

CLOSINGS = {
    5: (
        "Quédese tranquil{o}: sigo yo con su caso hasta que esté resuelto.",
        "No está sol{o} en esto, y mañana vuelvo a escribirle para ver cómo va.",
        "Ánimo, que esto lo arreglamos juntos; aquí me tiene para lo que haga falta.",
    ),
    4: (
        "Espero que pronto pueda olvidarse de esto.",
        "Ojalá el resto de la semana le vaya mejor.",
        "Me alegrará saber que ha quedado content{o}.",
    ),
    3: (
        "Quedamos a su disposición.",
        "Un saludo cordial.",
        "Si tiene más preguntas, escríbanos.",
    ),
    2: (
        "El expediente queda abierto.",
        "Conserve el número del pedido.",
        "",
    ),
    1: (
        "No vuelva a abrir otra consulta por lo mismo.",
        "Si no lee lo que firma, poco podemos hacer.",
        "Con esa actitud va a tardar más.",
    ),
}

HEDGES = (
    "Quizá tarde algo más en fechas de mucho trabajo.",
    "Es posible que le llamen antes.",
    "Tal vez le pidan una foto.",
)

# What the chatbot writes for colleagues: the third person, with articles and endings that tell the gender.
NOTES = (
    "Nota: {el} {cliente} {given} {family} está avisad{o} y {pronoun} llamará el lunes.",
    "Nota para el taller: {El} {title} {family} queda inscrit{o} en la lista.",
    "Nota: atendid{o} por chat; {pronoun} prefiere el correo.",
)
