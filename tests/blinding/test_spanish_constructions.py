"""Spanish constructions: two people of different gender read the same once blinded, and things keep their words."""

from __future__ import annotations

from functools import lru_cache

import pytest
import regex

from judgekit.blinding.mask import Blinder
from judgekit.records import MaskedText, Reply

# "@" is the person; {a woman's form|a man's form}.
SAID_OF_PEOPLE = {
    "what somebody is, seems, stays or becomes": """
        @ está {cansada|cansado} desde el lunes.
        @ quedó {satisfecha|satisfecho} con la respuesta.
        Me siento muy {apoyada|apoyado}, escribió @.
        @ se ve {recuperada|recuperado} después de la operación.
        ¿Cómo sigue @? Sigue {ingresada|ingresado} en la planta tres.
        @ anda {despistada|despistado} estos días.
        @ fue {elegida|elegido} por unanimidad.
        @, usted ha sido {seleccionada|seleccionado} para la entrevista.
        @ parece {convencida|convencido} del plan.
        @ acabó {agotada|agotado} tras la mudanza.
        @ iba {abrigada|abrigado} hasta las cejas.
        @ vino {acompañada|acompañado} al taller.
        @, te noto {apagada|apagado} últimamente.
        @ resultó {herida|herido} en la caída.
        @ se mostró {dispuesta|dispuesto} a firmar.
        @ salió {ilesa|ileso} del accidente.
        @ permaneció {callada|callado} toda la cena.
        @ ha vuelto {renovada|renovado} de Cádiz.
        @ estuvo muy {participativa|participativo} en clase.
        @ no se encuentra del todo {restablecida|restablecido}.
        ¿Está @ ya {vacunada|vacunado} de la gripe?
        @ suele ser bastante {reservada|reservado}.
        @ debería estar {orgullosa|orgulloso}.
        @ terminó {exhausta|exhausto} la prueba.
        @ se quedó {parada|parado} un momento.
        @ hoy viene {arreglada|arreglado}.
    """,
    "a subject left out": """
        Informe de @. Ingresó el martes. Fue {operada|operado} por la tarde y está {sedada|sedado}.
        @ llamó ayer. Estaba {molesta|molesto} porque no la avisaron a tiempo.
        @ trabaja aquí desde mayo. Es {puntual y ordenada|puntual y ordenado}.
        @ no vendrá hoy: está {constipada|constipado}.
        @ pidió el alta y fue {trasladada|trasladado} a otro centro.
        @ firmó el contrato y ya está {contratada|contratado}.
        La paciente se llama @. Llegó {desorientada|desorientado} y fue {atendida|atendido} enseguida.
        @ entró en el equipo en marzo y fue {ascendida|ascendido} en junio.
        @ perdió el tren. Anda {preocupada|preocupado} por la conexión.
        @ terminó el curso y quedó {inscrita|inscrito} en el siguiente.
        @ aprobó. Será {admitida|admitido} en septiembre.
        Cuando @ llamó, estaba {desesperada|desesperado}.
        @ avisó de que iría {acompañada|acompañado}.
        @ cree que fue {discriminada|discriminado}.
        Dice @ que está {apuntada|apuntado} al taller.
        @ vive en Soria y está {casada|casado}.
        @ ingresó a las tres y fue {intervenida|intervenido} a las cinco.
        @ jugó bien pero acabó {expulsada|expulsado}.
        @ dejó el puesto porque se sentía {ninguneada|ninguneado}.
    """,
    "said to you": """
        Ya estás {apuntada|apuntado}, @.
        ¿Estás {lista|listo} para el viaje, @?
        Si estás {de acuerdo y segura|de acuerdo y seguro}, firma aquí, @.
        @, no estás {sola|solo} en esto.
        Espero que estés más {animada|animado}, @.
        ¿Te quedaste {dormida|dormido}, @?
        Has estado {brillante y atenta|brillante y atento}, @.
        Eres muy {trabajadora y generosa|trabajador y generoso}, @.
        No seas tan {dura|duro} contigo, @.
        Vas muy {adelantada|adelantado} con el temario, @.
        Serás {bien recibida|bien recibido} en el centro, @.
        @, ¿sigues {apuntada|apuntado} a la lista?
        Te veo muy {centrada|centrado}, @.
        Te vas a sentir {arropada|arropado}, @.
        Si te sientes {juzgada|juzgado}, dilo, @.
        Estarás {cubierta|cubierto} desde el primer día, @.
        Habías quedado {eliminada|eliminado} por error, @.
        @, te mereces estar {reconocida|reconocido}.
        ¿Quedaste {conforme y tranquila|conforme y tranquilo}, @?
        @, llegarás {descansada|descansado}.
        Te veré {graduada|graduado} en junio, @.
        Sigues {matriculada|matriculado}, @.
        Has sido muy {paciente y educada|paciente y educado}, @.
        @, no te pongas {nerviosa|nervioso}.
        Queda {avisada|avisado}, @.
        Seguro que saldrás {reforzada|reforzado}, @.
        Tú, que eres {sensata|sensato}, @, decides.
    """,
    "said to usted": """
        @, queda usted {inscrita|inscrito} en el curso.
        Está usted {admitida|admitido}, @.
        ¿Se encuentra usted {mareada|mareado}, @?
        @, usted está {exenta|exento} de la tasa.
        Si usted ya estaba {registrada|registrado}, no haga nada, @.
        @, usted fue {dada|dado} de alta el lunes.
        Puede estar {tranquila|tranquilo}, @.
        Esté {atenta|atento} al correo, @.
        @, siéntase {libre y cómoda|libre y cómodo} de preguntar.
        Usted, @, será {avisada|avisado} por carta.
    """,
    "set off by commas or put first": """
        {Cansada|Cansado} de esperar, @ pidió la cuenta.
        @, {agotada|agotado} por el turno, se fue a casa.
        {Nacida|Nacido} en Lugo, @ estudió piano.
        {Convencida|Convencido} de su plan, @ lo presentó ayer.
        @, {preocupada|preocupado}, llamó dos veces.
        {Sorprendida|Sorprendido} por la noticia, @ no dijo nada.
        @, recién {llegada|llegado} a la empresa, pidió un turno.
        {Sentada|Sentado} en la sala, @ esperó una hora.
        @, {licenciada|licenciado} en Derecho, lleva el caso.
        {Agobiada|Agobiado} y sin dormir, @ pidió ayuda.
        {Criada|Criado} entre libros, @ lee mucho.
        @, {harta|harto} del ruido, se mudó.
        @, {nombrada|nombrado} ayer, empieza hoy.
        {Animada|Animado} por su equipo, @ se presentó.
        @, siempre tan {atenta|atento}, trajo flores.
        {Derrotada|Derrotado} pero feliz, @ saludó.
        @, {afectada|afectado} por el cierre, reclamó.
        @, {visiblemente emocionada|visiblemente emocionado}, leyó la carta.
        {Contratada|Contratado} en abril, @ ya dirige el área.
        @, {invitada|invitado} por la junta, habló.
    """,
    "addresses and exclamations": """
        {Querida|Querido} @: gracias por la carta.
        ¡{Bienvenida|Bienvenido} al equipo, @!
        ¡Qué {valiente y lista|valiente y listo} eres, @!
        {Enhorabuena, campeona|Enhorabuena, campeón}, lo lograste, @.
        Ánimo, {guapa|guapo}, que ya queda poco, @.
        ¡Qué {maja|majo} eres, @!
        {Bienvenida|Bienvenido} de nuevo, @.
        {Estimada|Estimado} {socia|socio}: adjunto el recibo.
        Hola, {compañera|compañero}, ¿vienes al almuerzo, @?
        {Querida mía|Querido mío}, @, no llores.
        @, eres {la mejor|el mejor}.
    """,
    "a state somebody acts in": """
        @ corrió la maratón {lesionada|lesionado}.
        @ llegó a casa {empapada|empapado}.
        @ volvió del viaje {encantada|encantado}.
        @ duerme {abrazada|abrazado} al peluche.
        @ salió de la reunión {enfadada|enfadado}.
        @ trabajó tres días {enferma|enfermo}.
        @ vive {sola|solo} desde enero.
        Encontraron a @ {dormida|dormido} en el sofá.
        La noticia dejó a @ {helada y confundida|helado y confundido}.
        Vi a @ muy {contenta|contento} ayer.
        @ salió del examen {aliviada|aliviado}.
        Vimos a @ {sentada|sentado} al fondo.
        @ entró {descalza|descalzo} en la cocina.
        @ respondió {molesta|molesto}.
        @ nos miró {atónita|atónito}.
        Hallaron a @ {inconsciente y herida|inconsciente y herido}.
        @ se fue {triste y callada|triste y callado}.
        @ conducía {distraída|distraído}.
        El susto dejó a @ {paralizada|paralizado}.
    """,
    "superlatives and diminutives": """
        @ está {cansadísima|cansadísimo}.
        @ es {altísima|altísimo} y {delgadita|delgadito}.
        @ está {malita|malito} con fiebre.
        @, estás {guapísima|guapísimo}.
        @ sigue {flojita|flojito} de fuerzas.
        @ quedó {contentísima|contentísimo}.
        @ es {listísima|listísimo} para las cuentas.
        Estoy {ocupadísima|ocupadísimo}, dijo @.
        @ anda {tristona|tristón} hoy.
        @ es {pequeñita|pequeñito} todavía.
    """,
    "ranks and one of many": """
        @ fue {la primera|el primero} en llegar.
        @ es {una de las nuestras|uno de los nuestros}.
        @ lo hizo {ella misma|él mismo}.
        Hazlo tú {misma|mismo}, @.
        {La propia|El propio} @ lo pidió.
        @ acabó {la segunda|el segundo} de la carrera.
        @ quedó {última|último} en la prueba.
        @ es {la única|el único} que sabe abrir.
        @, {tú sola|tú solo} no puedes con todo.
        @ será {la próxima|el próximo} en hablar.
        @ es {una más|uno más} del grupo.
        {La misma|El mismo} @ firmó el acta.
        @ llegó {la última|el último}.
        @ es {la indicada|el indicado} para el puesto.
        @, eres {una más de la familia|uno más de la familia}.
        @ fue {la segunda en hablar|el segundo en hablar}.
        @ es {la mejor|el mejor} de la clase.
        @ es {la peor|el peor} en cálculo.
        @ vino {ella sola|él solo}.
        @ es {una de las fundadoras|uno de los fundadores}.
        @ será {la encargada|el encargado} de abrir.
        @, usted {misma|mismo} lo dijo.
    """,
    "nouns in -or": """
        @ es {profesora|profesor} de piano.
        @ trabaja como {directora|director} de planta.
        Felicidades por el ascenso a {supervisora|supervisor}, @.
        @ es {la autora|el autor} del informe.
        @ fue {nombrada coordinadora|nombrado coordinador} en mayo.
        @ quiere ser {investigadora|investigador}.
        {La doctora|El doctor} @ atiende los lunes.
        @ es {una gran lectora|un gran lector}.
        @ ejerce de {monitora|monitor} en verano.
        Hablé con {la conductora|el conductor}, @.
        Buscan a {una cuidadora|un cuidador} y @ encaja.
    """,
    "nouns in -o, -ista, -nte": """
        @ es {enfermera|enfermero} en urgencias.
        @ es {bibliotecaria|bibliotecario} desde 2010.
        @ trabaja de {camarera|camarero}.
        @, {arquitecta|arquitecto} de profesión, firmó el plano.
        {La secretaria|El secretario} @ tomó nota.
        @ será {la nueva jefa|el nuevo jefe}.
        @ es {mecánica|mecánico} y le gusta.
        @ es {la presidenta|el presidente} de la comunidad.
        @ es {dependienta|dependiente} en la zapatería.
        @ fue {nuestra vecina|nuestro vecino} diez años.
        @ es {la dentista|el dentista} de mi pueblo.
        @ es {la estudiante|el estudiante} con más nota.
        @ es {carnicera|carnicero}.
        @ trabaja como {fisioterapeuta titulada|fisioterapeuta titulado}.
        @ fue {la ganadora|el ganador} del concurso.
        @ es {socia fundadora|socio fundador} del club.
        Felicitamos a {la nueva doctora|el nuevo doctor}, @.
        @, como {usuaria|usuario} del centro, puede votar.
        @ es {la propietaria|el propietario} del piso.
        @ es {una excelente pianista|un excelente pianista}.
        {Nuestra compañera|Nuestro compañero} @ se jubila.
        @ actuó de {portera|portero} en el partido.
        El contrato de {la arrendataria|el arrendatario}, @, vence hoy.
    """,
    "articles and what stands behind them": """
        Para {la mejor|el mejor} {abuela|abuelo} del barrio, @.
        {A la querida|Al querido} {maestra|maestro} @, con cariño.
        @ es {la joven|el joven} que llamó ayer.
        Es {la titular|el titular} de la cuenta, @.
        Avise {a la|al} paciente @ de la cita.
        El informe {de la|del} testigo @ llegó hoy.
        {Una|Un} cliente como @ merece respuesta.
        {A la futura|Al futuro} {mamá|papá}, @, un abrazo.
        {La actual|El actual} {alcaldesa|alcalde}, @, firmó.
        {A la gran|Al gran} {artista|artista} @.
        @ es {la típica|el típico} colega que ayuda.
        Gracias {a la|al} colega @ por el café.
        La ficha {de la|del} joven @ está lista.
        {La pequeña|El pequeño} @ ya camina.
        {La pobre|El pobre} @ no durmió.
        {La entrañable|El entrañable} {vecina|vecino} @ cumple años.
        Dáselo {a la|al} siguiente {pasajera|pasajero}, @.
        @ es {la primera|el primer} {alumna|alumno} que llega.
        {La otra|El otro} {testigo|testigo}, @, confirmó.
        {Una|Un} tal @ llamó.
        @ es {esa|ese} {chica|chico} del fondo.
    """,
    "la and lo before a verb": """
        @ llegó tarde y {la|lo} esperaron en la puerta.
        A @ {la|lo} llamarán del hospital.
        @ está aquí. {La|Lo} acompaño a la sala.
        Si @ no puede, {la|lo} sustituye otra persona.
        @ cayó ayer y {la|lo} llevaron a urgencias.
        ¿Y @? {La|Lo} vi en la cafetería.
        A @ {la|lo} han ascendido.
        @ no contesta; {la|lo} llamé dos veces.
        @ espera abajo, ¿{la|lo} hago pasar?
        A @ {la|lo} quieren mucho en el centro.
        @ tiene fiebre y el médico {la|lo} visita mañana.
        A @ {la|lo} citaron para el jueves.
        @ no oye; {la|lo} avisé por señas.
        Si @ vuelve, {la|lo} atiende mi compañero.
        A @ {la|lo} van a operar mañana.
        @ está de baja y {la|lo} cubre otro turno.
        A @ {la|lo} eligieron ayer.
        Cuando @ llegó, {la|lo} saludamos.
        @ sabe que {la|lo} apreciamos.
        A @ {la|lo} confundieron con otra persona.
        @, {la|lo} felicitamos por el premio.
    """,
    "la and lo at the end of a verb": """
        Ingresó @ con fiebre. Se recomienda {citarla|citarlo} en dos semanas.
        Hay que llamar a @ y {avisarla|avisarlo} del cambio.
        Quiero felicitar a @ y {abrazarla|abrazarlo}.
        Con @: Conviene {acompañarla|acompañarlo}.
        @ duerme; no vale {despertarla|despertarlo} ahora.
        Si ves a @, {salúdala|salúdalo} de mi parte.
        @ llega a las seis: ve a {buscarla|buscarlo}.
        @ no sabe nada; estamos {buscándola|buscándolo}.
        @ duda. Intenta {animarla|animarlo} un poco.
        @, queremos {conocerla|conocerlo} pronto.
        @ se queja. Hay que {escucharla|escucharlo}.
        @ espera. Hay que {atenderla|atenderlo} ya.
        @ se perdió y salimos a {buscarla|buscarlo}.
        @ tose: habrá que {llevarla|llevarlo} al médico.
        @ calla; no sirve {presionarla|presionarlo}.
        @ viene: {recíbala|recíbalo} en la puerta.
        @ vale mucho y piensan {ascenderla|ascenderlo}.
        Sin {conocerla|conocerlo}, @ me cae bien.
        @ se cayó y están {curándola|curándolo}.
        Vamos a {echarla|echarlo} de menos, @.
    """,
    "la and lo behind another pronoun": """
        A @ nos {la|lo} presentaron ayer.
        A @ se {la|lo} llevaron a casa.
        ¿@? Tráiga{mela|melo} a la consulta.
        A @ se {la|lo} veía feliz.
        A @ te {la|lo} encuentras en el metro.
        A @ nos {la|lo} recomendó tu hermano.
        A @ se {la|lo} considera una referencia.
    """,
    "titles": """
        {Doña|Don} @ pidió cita.
        {Sra.|Sr.} @, pase por caja.
        {La Dra.|El Dr.} @ está de guardia.
        {La profesora|El profesor} @ corrigió el examen.
        {Lic.ª|Lic.} @, adjunto el acta.
        Atentamente, {la ingeniera|el ingeniero} @.
        {Señora|Señor} @, gracias por venir.
        {Srta.|Sr.} @, su mesa está lista.
        {La Sra.|El Sr.} @ Ortiz no vino.
        Muy {señora mía|señor mío}: adjunto el acta, @.
        {Profª.|Prof.} @, gracias.
        {La licenciada|El licenciado} @ firma.
        {Excma. Sra.|Excmo. Sr.} @: le escribo hoy.
        {Hermana|Hermano} @, rece por mí.
        Atte., {Dra.|Dr.} @.
        {La alcaldesa|El alcalde} @ inauguró el parque.
        {Tía|Tío} @, ven pronto.
    """,
    "kin": """
        @ es {mi hermana|mi hermano}.
        {Mi suegra|Mi suegro}, @, vive conmigo.
        @, como {madre|padre} de dos niños, puede pedirlo.
        @ y {su marido|su mujer} vienen mañana.
        Saluda a {tu nieta|tu nieto}, @.
        @ es {viuda|viudo} desde marzo.
        {La abuela|El abuelo} @ hace rosquillas.
        @ es {la madrina|el padrino} de mi hijo.
        @ es {hija única|hijo único}.
        @, dile a {tu cuñada|tu cuñado} que llame.
    """,
}
SAID_OF_THINGS = """
    @, la factura está pagada y el recibo está archivado.
    @, su solicitud fue aceptada y la carta está firmada.
    La tienda está cerrada, @, pero la web sigue abierta.
    @, el paquete fue entregado y está guardado en recepción.
    @, la habitación queda reservada y el desayuno está incluido.
    La puerta estaba rota, @, y la cambiaron ayer.
    @, la lámpara llegó rota; la cambiamos sin coste.
    @, envíe la factura y la revisamos hoy.
    @, rellene el formulario y mándelo firmado.
    El curso está completo, @; lo repetimos en mayo.
    La reunión fue aplazada, @, y está prevista para el lunes.
    @, tu cuenta está bloqueada; hay que activarla.
    @, el contrato está listo; puedes recogerlo mañana.
    La máquina es nueva, @, y está bien cuidada.
    @, la sopa quedó salada; puedes arreglarla con patata.
    @, lo siento mucho, lo sé y lo entiendo.
    No lo dudes, @: inténtalo, que puedes hacerlo.
    @, la lavadora sigue averiada y la secadora está lista.
    @, la primera cuota vence en mayo y la última en junio.
    @, la propia empresa paga la misma tarifa.
    @, la nueva versión está publicada.
    Tu pedido está preparado, @; pásate a buscarlo.
    @, la canción es bonita y la letra está cuidada.
    @, las entradas están agotadas.
    El vuelo fue cancelado, @, y la maleta está perdida.
    @, tu plaza está asegurada y la cuota, pagada.
    @, el horario es amplio y la sala está climatizada.
    @, la respuesta es sencilla: la tienes en la guía.
    @, esa camisa te queda ajustada; pruébala otra vez.
    @, la rodilla lesionada necesita reposo.
    @, la garantía está incluida y queda activada hoy.
    La carta llegó abierta, @, y el sobre roto.
    @, riega la planta y ponla al sol.
    @, la batería está agotada y hay que cargarla.
    Llevo la maleta cargada, @, y el coche lleno.
    La aplicación es gratuita, @, y está traducida.
    @, la cena está servida.
    La última factura fue enviada ayer, @.
    @, la mesa está puesta; la recogemos luego.
    Con la entrada comprada, @, no pagas nada más.
    La cita fue confirmada, @. Está apuntada en la agenda.
    @, el ordenador quedó reparado; puedes llevarlo a casa.
    @, la ventana está sucia: límpiala con vinagre.
    @, la única línea abierta es la roja.
    Una de las llaves está perdida, @.
    @, cada una de las cajas está numerada.
    La consola viene con dos mandos, @; el segundo se vende aparte.
    @, la cocina estaba limpia y la terraza, recogida.
    @, el informe sigue incompleto; hay que revisarlo.
    @, la caldera fue revisada y está certificada.
    @, la película es larga y algo lenta.
    @, tu foto quedó borrosa; la borramos.
    @, esta semana la oficina está cerrada.
    @, la entrega fue confirmada ayer y llegará completa.
    @, si la pantalla está rota, la sustituimos.
    @, el jersey es rojo y la bufanda, blanca.
    @, la batería se queda descargada: cárgala.
    @, la tarta salió quemada; repítela.
    @, el coche quedó aparcado y lo movimos.
    @, la nota está adjunta; léela.
    @, la primera sesión es gratuita.
    @, guarde la tarjeta y muéstrela.
    @, la ruta es segura y está señalizada.
    @, la masa ya está lista: métela al horno.
    @, el documento ha sido firmado y lo hemos archivado.
    @, la contraseña fue cambiada; anótela.
    @, la obra queda terminada en junio.
    @, la cláusula es nueva y la he subrayado.
    @, tu petición sigue abierta; la vemos el lunes.
    @, la calle está cortada y la estación, vacía.
    @, el piso es pequeño, pero está reformado.
    La nevera está vacía, @: llénala.
    @, la ropa está tendida.
    @, la oferta es válida y está publicada.
    @, el problema está resuelto; lo cerramos.
    @, la próxima reunión será la última.
    @, la misma regla vale para la segunda vuelta.
"""


@lru_cache(maxsize=1)
def blinder() -> Blinder:
    """One for all sentences."""
    return Blinder()


def masked(sentence: str, name: str, *, second: bool = False) -> MaskedText:
    """A sentence about a person, blinded with the name known."""
    chosen = regex.sub(r"\{([^|{}]*)\|([^{}]*)\}", r"\2" if second else r"\1", sentence).replace("@", name)
    return blinder().mask(Reply(id="1", text=chosen, known_names=(name,), lang="es"))


def lines(block: str) -> list[str]:
    """The sentences of a block."""
    return [line.strip() for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("construction", SAID_OF_PEOPLE)
def test_a_woman_and_a_man_read_the_same(construction: str) -> None:
    """Every word that gives the gender away in this construction is masked, whichever the gender."""
    told = [
        (hers, his)
        for sentence in lines(SAID_OF_PEOPLE[construction])
        if (hers := masked(sentence, "Nuria").text) != (his := masked(sentence, "Iván", second=True).text)
    ]
    assert not told


def test_words_that_agree_with_things_stay() -> None:
    """Adjectives, participles and pronouns of a thing are left alone beside a person's name."""
    results = [masked(sentence, "Nuria") for sentence in lines(SAID_OF_THINGS)]
    changed = [done.text for done in results if any(slot.kind != "name" for slot in done.slots)]
    assert not changed
