"""What a whole file decides: names and codes that stay, nouns before others, words that may name a thing."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import evenhand


def persons(folder: Path, target: str, *strings: tuple[str, str]) -> list[tuple[str, str, str | None]]:
    path = folder / "strings.jsonl"
    texts = {"source": [source for source, _ in strings], "rendering": [rendering for _, rendering in strings]}
    pl.DataFrame({"id": [str(n) for n in range(len(strings))], **texts}).write_ndjson(path)
    checked = evenhand.check_file(path, source="en", target=target, workers=1)
    return checked.persons.select("person", "gender", "finding").rows()


@pytest.mark.parametrize(
    ("target", "source", "rendering"),
    [
        ("de", "Not a Mailman configuration file", "Keine Mailman Konfigurationsdatei"),
        ("fr", "MAILMAN_CONFIG_FILE is read", "La variable MAILMAN_CONFIG_FILE est lue"),
        ("es", "You must enable cookies.", "Debe habilitar las cookies."),
        ("de", "Dear Sir or Madam,", "Sehr geehrte Damen und Herren,"),
        ("it", "list:admin:notice.txt", "La tua autorizzazione è necessaria"),
        ("pt", "Never a cache miss", "Nunca vários cache miss"),
        ("it", "The user password was changed", "La password utente è stata cambiata"),
        ("de", "Go to the admin homepage", "Zur Admin Startseite"),
        ("de", "Add contributor", "Mitwirkende hinzufügen"),
        ("it", "This user's API key has been blocked.", "Chiave API dell'utente bloccata."),
        ("de", "?female:Earl %s", "Gräfin %s"),
        ("es", "?female:Prime Minister %s", "Primera Ministra %s"),
        ("it", "Drop suspect scheduled transactions", "Cancella transazioni pianificate sospette"),
        ("it", "Killed by Barbarians in a Hut", "Ucciso dalle truppe barbare nella capanna"),
        (
            "fr",
            "A fruit collector advertising his harvest to a landlady",
            "Un cueilleur annonçant sa récolte à une dame",
        ),
        ("de", "Archduchess %s", "Erzherzogin %s"),
        ("de", "Pick a person for the user list", "Wählen Sie einen Kontakt"),
        ("de", "Take the pirate fort", "Erobere die Festung"),
        ("it", "Shows user and date", "Restituisce utente e data"),
        ("it", "Warn the user that a disk is almost full", "Avvisa l'utente che una partizione è quasi piena"),
        ("it", "Open user files", "Apri i file utente"),
        ("it", "Butch waits, says Butch.", "Butch aspetta, dice Butch."),
        ("es", "The town guard sells no armour.", "La Guardia no vende armaduras."),
        ("pt", "The sentry is lost.", "A sentinela caiu."),
        ("de", "May I help, sir and or madam?", "Darf ich helfen, mein Herr oder meine Dame?"),
        ("fr", "This is a servant robot.", "C'est un robot serviteur."),
        ("pl", "She and her husband fled.", "Ona i jej mąż uciekli."),
        ("es", "The Old Guard waits.", "La Vieja Guardia espera."),
        ("fr", "National Guard", "Garde Nationale"),
        ("es", "You are no member of the Red Guard.", "No eres miembro de la Guardia Roja."),
        ("es", "Good luck, Commander.", "Buena suerte, Comandante."),
        ("ru", "Build a sentry", "Постройте караульную"),
        ("it", "Native", "Nativo"),
        ("fr", "cannot copy archive member", "impossible de copier le membre de l'archive"),
        ("pt", "Show a golden spiral guide", "Mostrar uma guia espiral dourada"),
        ("de", "Multi password changer", "Mehrfach Passwortwechsler"),
        ("es", "Welcome to the KGpg Assistant", "Bienvenido al asistente de KGpg"),
        ("es", "If the key is suspect, mark it.", "Si la clave es sospechosa, márquela."),
        ("es", "Enter the PIN at the reader's keypad", "Introduzca el PIN en el teclado del lector"),
        ("it", "whether opponents' moves are spoken", "attiva la pronuncia delle mosse avversarie"),
        ("it", "Location of the user's credential cache", "Percorso della cache delle credenziali utente"),
        ("de", "Again it was Butch who warned me.", "Wieder war es Butch, der mich warnte."),
        ("it", "This assistant will help you.", "Questo assistente ti aiuterà."),
        ("it", "adored by critics", "adorato dalla critica"),
        ("es", "This fairy tale is about a wolf.", "Este cuento es sobre un lobo."),
        ("es", "leather chaps", "cazadora de cuero"),
        ("ru", "brown chick", "коричневый птенец"),
        ("es", "a slitted pupil", "una pupila rasgada"),
        ("it", "veterinarian clinic", "clinica veterinaria"),
        ("fr", "giant spider mutants", "araignées mutantes géantes"),
        ("it", "Inform the user that we received an email", "Informa l'utente che è stata ricevuta un'email"),
        ("de", "A mutant variety of the crayfish", "Eine mutierte, an Land lebende Art"),
        ("de", "This is a refugee center.", "Dies ist ein Flüchtlingslager."),
        ("es", "Full screen Advanced Inventory Manager", "Gestor de inventario avanzado"),
        ("es", "restricted to the list of family owners", "restringido a la lista propietaria de la familia"),
        ("pt", "Each page displays 25 subscribers.", "Cada página exibe 25 assinantes."),
        ("it", "Statistician", "Esperto di statistica"),
        ("es", "Chroma killer", "Blanco y negro"),
        (
            "pl",
            "a user has to change his password",
            "użytkownik musi zmienić hasło; musi być większa od 0",
        ),
        ("it", "For user {{BIDI:$2}} please visit <$1>.", "Per l'utente {{BIDI:$2}} visita <$1>."),
    ],
)
def test_names_codes_and_greetings_are_no_findings(tmp_path: Path, target: str, source: str, rendering: str) -> None:
    assert [row for row in persons(tmp_path, target, (source, rendering)) if row[2]] == []


@pytest.mark.parametrize(
    ("target", "rendering", "gender"),
    [
        ("pt", "Acessível a usuários", "male"),
        ("pl", "Rola użytkowników", "male"),
        ("de", "Benutzer/Benutzerinnen", "both"),
        ("fr", "Utilisateur/trice", "both"),
        ("es", "Foto del o de la usuaria", "both"),
        ("de", "Online\u2011Benutzer", "male"),
        ("it", "Abilita utenti", "neutral"),
    ],
)
def test_notations_and_prepositions_of_users(tmp_path: Path, target: str, rendering: str, gender: str) -> None:
    assert [row[1] for row in persons(tmp_path, target, ("Users", rendering))] == [gender]


def test_a_name_beside_a_noun_may_say_its_gender_and_ms_in_capitals_does_not(tmp_path: Path) -> None:
    named = ("Your friend, Arvela, is here.", "Tu amiga, Arvela, está aquí.")
    assert persons(tmp_path, "es", named) == [("friend", "female", None)]
    assert persons(tmp_path, "es", ("MS engineer", "Ingeniero de MS")) == [("engineer", "male", "open")]


def test_a_loanword_with_its_own_article_has_a_gender(tmp_path: Path) -> None:
    assert persons(tmp_path, "es", ("Ask the webmaster.", "Pregunta al webmaster.")) == [("webmaster", "male", "open")]


def test_a_noun_before_another_is_a_finding_of_its_own_kind(tmp_path: Path) -> None:
    strings = (("Patient name", "Nombre del paciente"), ("User manual", "Manual"))
    assert persons(tmp_path, "es", *strings) == [("Patient", "male", "attributive")]


def test_a_word_that_may_name_a_thing_is_decided_by_its_translation_elsewhere(tmp_path: Path) -> None:
    named = ("Enter the name of the agent.", "Geben Sie den Namen des Agenten ein.")
    greeted = ("The agent smiled.", "Der Agent lächelte.")
    assert persons(tmp_path, "de", named) == [("agent", "male", None)]
    assert persons(tmp_path, "de", named, greeted)[0] == ("agent", "male", "open")


def test_a_word_for_another_person_decides_nothing(tmp_path: Path) -> None:
    strings = (("A guide to boxing", "Ein Führer über das Boxen"), ("The leader smiled.", "Der Führer lächelte."))
    assert [row for row in persons(tmp_path, "de", *strings) if row[2]] == [("leader", "male", "open")]


def test_a_word_by_which_the_file_translates_a_thing_makes_no_woman(tmp_path: Path) -> None:
    place, mason = (
        ("Quarry", "Cantera"),
        ("The stonemason left his hammer.", "El cantero dejó en la cantera su martillo."),
    )
    assert [row for row in persons(tmp_path, "es", place, mason) if row[2]] == []
    assert (
        persons(tmp_path, "es", ("The stonemason is at the quarry.", "Está en la cantera."), place)[0][1] == "unknown"
    )


def test_a_pronoun_in_another_paragraph_says_nothing(tmp_path: Path) -> None:
    letter = ("The pilot waves.\nGo and see her.", "Der Pilot winkt.\nGeh zu ihr.")
    assert persons(tmp_path, "de", letter) == [("pilot", "male", None)]


def test_a_word_that_names_only_persons_needs_no_other_string(tmp_path: Path) -> None:
    strings = (("Local player", "Lokaler Spieler"), ("Media player", "Medienwiedergabe"), ("Player", "Player"))
    assert [row for row in persons(tmp_path, "de", *strings) if row[2]] == [("player", "male", "open")]


def test_a_page_has_children_and_so_has_a_family(tmp_path: Path) -> None:
    child = ("Delete the children", "Eliminar los hijos")
    family = [(f"The {word} of %s", f"{other} de %s") for word, other in (("mother", "Madre"), ("father", "Padre"))]
    assert persons(tmp_path, "es", child, *family)[0] == ("children", "male", None)
    spouse = ("The wife of %s", "Esposa de %s")
    assert persons(tmp_path, "es", child, *family, spouse)[0] == ("children", "male", "open")


@pytest.mark.parametrize(
    ("target", "source", "rendering", "finding"),
    [
        ("es", "A sorceress rules the town.", "Un hechicero gobierna la villa.", "wrong"),
        ("es", "Mother", "Padre", "wrong"),
        ("de", "Your mother called.", "Ihr Vater hat angerufen.", "wrong"),
        ("es", "His wife is ill.", "Su marido está enfermo.", "wrong"),
        ("de", "The king is dead.", "Die Königin ist tot.", "wrong"),
        ("de", "?female:Hacker %s", "Hacker %s", "wrong"),
        ("de", "?female:Dalai Lama %s", "Dalai Lama %s", None),
        ("ru", "?female:Captain %s", "Капитан %s", None),
        ("it", "Female users", "Utenti di sesso femminile registrati", None),
        ("ru", "Female descendants", "Потомки по женской линии", None),
        ("pt", "Locked up by the witch", "Preso no castelo", None),
        ("de", "Never question the mistress", "Einige Magier fragen nie", None),
        ("pt", "You are as mad as that lady.", "Você é tão louco quanto aquela Soreson.", None),
    ],
)
def test_a_contradiction_needs_the_counterpart_of_the_noun(
    tmp_path: Path, target: str, source: str, rendering: str, finding: str | None
) -> None:
    assert {row[2] for row in persons(tmp_path, target, (source, rendering))} == {finding}


@pytest.mark.parametrize(
    ("target", "source", "rendering"),
    [
        ("fr", "A way to help people search", "Un moyen d'aider à parcourir"),
        ("it", "Toggles whether the attendees are displayed", "Indica se vengono visualizzati"),
    ],
)
def test_a_word_that_no_table_lists_for_a_person_is_no_finding(
    tmp_path: Path, target: str, source: str, rendering: str
) -> None:
    assert [row for row in persons(tmp_path, target, (source, rendering)) if row[2]] == []


@pytest.mark.parametrize("text", ["Grandparent", "Germans", "superheroes", "Ask the Site Administrator."])
def test_capitals_and_labels_hide_no_person(text: str) -> None:
    assert evenhand.persons.LexiconFinder(domain="interface").find(text)


@pytest.mark.parametrize(
    ("target", "source", "rendering"),
    [
        ("pl", "Whether contacts are added to the user’s address book.", "Dodawanie do książki adresowej użytkownika."),
        ("pl", "The name of the speaker that is displayed.", "Nazwa prelegenta, która będzie wyświetlana."),
        ("pl", "Horse Breeder", "Hodowca koni"),
        ("pl", "The shaman summons a crocodile!", "Szaman przyzywa krokodyla!"),
        ("pl", "User cannot change own role.", "Użytkownik nie można zmienić własnej roli."),
        ("pl", "These are made from family members.", "Te są wykonane z członków rodziny."),
        ("ru", "The cops burst in.", "Вломились копы."),
        ("ru", "an adult", "взрослой особью"),
        ("ru", "a technology known to the owner of the city", "технология, известная владельцу города"),
    ],
)
def test_a_word_of_another_noun_makes_no_woman(tmp_path: Path, target: str, source: str, rendering: str) -> None:
    assert "female" not in [row[1] for row in persons(tmp_path, target, (source, rendering))]


def test_a_verb_beside_a_noun_for_anybody_makes_a_woman(tmp_path: Path) -> None:
    assert [row[1] for row in persons(tmp_path, "ru", ("The doctor came.", "Врач пришла."))] == ["female"]
