"""Spanish words said of somebody beside a verb of its own: two people of different gender read the same."""

from __future__ import annotations

import regex

from judgekit.blinding.mask import Blinder
from judgekit.records import MaskedText, Reply

# "@" is the person; {a woman's form|a man's form}.
SAID_OF_PEOPLE = """
    @ volvió {sola|solo} a casa después del concierto.
    @ fue tan amable como {atenta|atento}.
    @, {nuestra vecina|nuestro vecino} del tercero, firmó la petición.
    @ se puso {roja|rojo} al oír la noticia.
    {Nacida|Nacido} en Huesca, @ estudió en Teruel.
    @, {doctora|doctor} en Química, dirige el laboratorio.
    @ trabaja como {enfermera|enfermero} en el turno de noche.
    @ es {una gran cocinera|un gran cocinero}.
    Pregunte por {la recepcionista|el recepcionista}, @.
    @ es {la única responsable|el único responsable} del proyecto.
    @ se fue {disgustada|disgustado} porque nadie {la|lo} saludó.
    A @ {la|lo} dejaron {sola|solo} en el andén.
    A @ {la|lo} vi muy {desmejorada|desmejorado}.
    @, eres {una crack|un crack}.
    Lamento que te sientas {engañada|engañado}, @.
    @ quería ser {astronauta|astronauta} desde {pequeña|pequeño}.
    Desde muy {joven|joven}, @ se consideró {escritora|escritor}.
    @ se declaró {vegetariana|vegetariano} hace años.
    @ se convirtió en {directora|director} del museo.
    @ ejerce de {procuradora|procurador} en Cádiz.
    {La primera|El primero} en llamar fue @.
    @ se tumbó {rendida|rendido} en el sofá.
    @ durmió {abrazada|abrazado} a su perro.
    @ se cree muy {lista|listo}.
    Una vez {instalada|instalado} en su casa, @ nos escribió.
    Siendo tan {tímida|tímido}, @ sorprendió a todos.
    Por {despistada|despistado}, @ perdió el paraguas.
    @ tiene fama de {puntillosa|puntilloso}.
    @ presume de {ordenada|ordenado}.
    Todos tratan a @ de {exagerada|exagerado}.
    @ se presentó {voluntaria|voluntario} para el turno.
    Nadie como @: {lista, rápida y cariñosa|listo, rápido y cariñoso}.
    Su jefe describe a @ como {metódica|metódico}.
    @, como {autónoma|autónomo} puedes deducir el IVA.
    @ entró en la consulta {pálida y temblorosa|pálido y tembloroso}.
    @ contestó muy {seria|serio} que no.
    @ hizo el trabajo {sola|solo}.
    @ subió al escenario {emocionadísima|emocionadísimo}.
    @ se nota {cambiada|cambiado}.
    @ fue {recibida|recibido} como {una reina|un rey}.
    @, {visiblemente afectada|visiblemente afectado}, abandonó la sala.
    {Nuestra traductora|Nuestro traductor}, @, revisará el texto.
    {Una vecina|Un vecino}, @, avisó a los bomberos.
    Es {una compañera estupenda|un compañero estupendo}, @.
    @ trabajó de {camarera|camarero} y luego de {cajera|cajero}.
    @ es {la más joven|el más joven} del equipo.
    La empresa despidió a @ y luego {la|lo} readmitió.
    Si @ vuelve a llamar, páse{la|lo} con mi extensión.
    A @ {la|lo} eligieron {delegada|delegado} de clase.
    @, sé {prudente|prudente} y no vayas {sola|solo}.
    @, {la|lo} mantendremos {informada|informado}.
    @, perdone que {la|lo} moleste.
    @, disculpe que no {la|lo} hayamos llamado antes.
    @, gracias por ser tan {comprensiva|comprensivo}.
    Siempre {atenta|atento}, @ apuntó el número.
    Además de {lista|listo}, @ es {trabajadora|trabajador}.
    @ lleva toda la semana {acatarrada|acatarrado}.
    Hola, @: siento que te hayas sentido {ignorada|ignorado} por nuestro equipo.
    La paciente @ ingresa {orientada y colaboradora|orientado y colaborador}.
    Recomiendo a @ por ser {seria, puntual y resolutiva|serio, puntual y resolutivo}.
    @ se incorporó en 2020 como {administrativa|administrativo} y hoy es {jefa|jefe} de área.
    Nos dejó {impresionados|impresionados} lo {preparada|preparado} que estaba @.
    {Encantada|Encantado} de saludarle. Soy @, {su nueva gestora|su nuevo gestor}.
    Fdo.: @, {directora|director} general.
    @ terminó la jornada {rendida|rendido}.
    @ pasó dos horas {encerrada|encerrado} en el ascensor.
    @ lleva años {enganchada|enganchado} al café.
    @ esperaba {impaciente|impaciente}, {apoyada|apoyado} en la barra.
    Nadie {la|lo} creyó cuando @ denunció.
    @, voy a {pasarla|pasarlo} con un {compañero|compañero}.
    {Querida amiga|Querido amigo} @:
    {Esta|Este} @ siempre llega tarde.
    {La|El} @ de siempre.
    @ es {la mejor preparada|el mejor preparado}.
    {La paciente|El paciente} refiere dolor. {La|Lo} exploramos y queda {ingresada|ingresado}. Firmado: @.
    @ fue {una de las primeras|uno de los primeros} en apuntarse.
"""
SAID_OF_THINGS = """
    @, la fecha fijada es el lunes.
    @ rellenó la solicitud equivocada.
    @ lleva la chaqueta nueva y los zapatos limpios.
    @ habla una lengua muerta.
    @ pidió una cita urgente y se la dieron.
    @, el pedido fue entregado; lo recibió un familiar.
    @, la lavadora tiene la puerta rota: no la use.
    @ compró la entrada y la perdió.
    @, la tienda permanecerá cerrada el lunes.
    @, la puerta quedó abierta toda la noche.
    @ mandó la foto ya recortada.
    @ tiene la tarjeta caducada.
    @ trajo la comida preparada de casa.
    @, su solicitud está aprobada y firmada.
    @ vive en una casa pequeña y soleada.
    @ siguió una ruta larga y complicada.
    @ mandó el paquete y lo recibió la tienda.
    @ escuchó la propuesta y la aceptó.
    @, la reunión parece larga pero es amena.
    @ tiene los ojos cansados y la voz ronca.
    @ recibió la carta, escrita a mano.
    @ trabaja en la planta segunda.
    @ se mudó a una zona tranquila y bien comunicada.
    @ nos mandó la solicitud firmada.
    @ vio la puerta abierta y entró.
    @ preparó una cena ligera y rápida.
    @ lleva la cuenta atrasada.
    @ abrió la carta certificada.
    @ opina que el trato fue correcto y rápido.
    @ llegó tarde porque la carretera estaba cortada.
    @ perdió la maleta y la encontraron vacía.
    @, la avería fue detectada y quedó resuelta.
    @ entregó la memoria, encuadernada y firmada.
    @ contó una historia divertida.
    @ eligió la más barata y la devolvió.
"""
BLINDER = Blinder()


def masked(sentence: str, name: str, *, second: bool = False) -> MaskedText:
    """A sentence about a person, blinded with the name known."""
    chosen = regex.sub(r"\{([^|{}]*)\|([^{}]*)\}", r"\2" if second else r"\1", sentence).replace("@", name)
    return BLINDER.mask(Reply(id="1", text=chosen, known_names=(name,), lang="es"))


def lines(block: str) -> list[str]:
    """The sentences of a block."""
    return [line.strip() for line in block.splitlines() if line.strip()]


def test_a_predicate_without_copula_is_masked_whichever_the_gender() -> None:
    """Volvió sola, la dejaron tranquila, de pequeña: a woman's sentence and a man's are the same."""
    told = [
        (hers, his)
        for sentence in lines(SAID_OF_PEOPLE)
        if (hers := masked(sentence, "Nuria").text) != (his := masked(sentence, "Iván", second=True).text)
    ]
    assert not told


def test_what_agrees_with_a_thing_beside_a_person_stays() -> None:
    """Encontró la tienda cerrada: nothing but the name is masked."""
    results = [masked(sentence, "Nuria") for sentence in lines(SAID_OF_THINGS)]
    assert not [done.text for done in results if any(slot.kind != "name" for slot in done.slots)]


def test_an_abbreviation_is_no_short_form_of_a_name() -> None:
    """IVA beside Iván, and "soy Marta" beside an adjective's ending."""
    assert "el IVA" in masked("@, puedes deducir el IVA.", "Iván").text
    assert "MARTO" not in masked("Hola, @: soy Marta, de Atención al cliente.", "Nuria").text
