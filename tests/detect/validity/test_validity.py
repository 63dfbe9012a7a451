"""What is a rendering and what is none, by examples written for the purpose."""

from __future__ import annotations

from functools import cache

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.detect.validity import Reason, Validity

NURSE = "The nurse told the patient that she was late."
MEMBERS = {
    "de": "Die Krankenschwester sagte dem Patienten, dass sie zu spät kam.",
    "es": "La enfermera avisó al paciente de que se había retrasado.",
    "fr": "L'infirmière a dit au patient qu'elle était en retard.",
    "it": "L'infermiera disse al paziente che era in ritardo.",
    "pt": "A enfermeira disse ao paciente que estava atrasada.",
    "ca": "La infermera va dir al pacient que feia tard.",
    "nl": "De verpleegkundige zei tegen de patiënt dat ze te laat was.",
    "pl": "Pielęgniarka powiedziała pacjentowi, że się spóźniła.",
    "cs": "Sestra řekla pacientovi, že se zpozdila.",
    "ru": "Медсестра сказала пациенту, что она опоздала.",
    "uk": "Медсестра сказала пацієнту, що вона запізнилася.",
    "el": "Η νοσοκόμα είπε στον ασθενή ότι άργησε.",
    "he": "האחות אמרה למטופל שהיא מאחרת.",
    "ar": "قالت الممرضة للمريض إنها تأخرت.",
}


@cache
def check(source: str, target: str) -> Validity:
    return Validity(source, target)


def reason(source: str, rendering: str, *, languages: str = "en-de") -> str | None:
    found = check(*languages.split("-")).finding(source, rendering)
    return found.reason.value if found else None


@pytest.mark.parametrize("target", MEMBERS)
def test_a_sentence_is_valid_in_its_own_language_and_in_no_other(target: str) -> None:
    for language, text in MEMBERS.items():
        assert reason(NURSE, text, languages=f"en-{target}") == (None if language == target else "another language")


@pytest.mark.parametrize("target", [*MEMBERS, "hu", "tr", "fi", "hi", "ko", "ja", "sw"])
def test_the_source_itself_is_no_rendering(target: str) -> None:
    for text in (NURSE, NURSE.lower(), NURSE.upper(), NURSE.rstrip("."), f'"{NURSE}"', f"  {NURSE}\n"):
        assert reason(NURSE, text, languages=f"en-{target}") == "repeats the source"


@pytest.mark.parametrize(
    ("languages", "source"),
    [("hu-en", "Ő orvos."), ("tr-en", "O kibar."), ("fi-fr", "Hän on kokenut."), ("et-de", "Ta on kogenud."),
     ("eu-en", "Hura medikua da."), ("fa-es", "او مؤدب است."), ("id-en", "Dia sopan."), ("ko-en", "걔는 친절해"),
     ("ja-en", "あの人は礼儀正しい。"), ("de-en", "Sie ist Ärztin.")],
)  # fmt: skip
def test_short_sources_are_recognised_too(languages: str, source: str) -> None:
    assert reason(source, source, languages=languages) == "repeats the source"


def test_most_words_copied_is_an_echo_and_a_translation_with_loanwords_is_none() -> None:
    assert reason(NURSE, "The nurse telled the patient that she was lates.") == "repeats the source"
    assert reason("The manager met a designer in London.", "Der Manager traf einen Designer in London.") is None
    titles = "She sang in The Sound of Music, West Side Story, Kiss Me Kate and Hello Dolly."
    german = "Sie sang in The Sound of Music, West Side Story, Kiss Me Kate und Hello Dolly."
    assert reason(titles, german) is None


@pytest.mark.parametrize(
    ("source", "rendering"),
    [("Angela Merkel", "Angela Merkel"), ("OK", "OK"), ("Taxi", "Taxi"), ("Taxi!", "Taxi!"), ("The CEO", "Der CEO"),
     ("Software Engineer", "Software Engineer"), ("Tom and Mary", "Tom und Mary"), ("No.", "Nein."),
     ("Manager", "Manager"), ("Do you understand?", "Verstanden?"), ("Barack Obama.", "Barack Obama."),
     ("2 + 2 = 4", "2 + 2 = 4"), ("Email", "E-Mail"), ("Sign in", "Anmelden"),
     ("Marie Curie, Paris", "Marie Curie, Paris")],
)  # fmt: skip
def test_names_loanwords_and_short_strings_are_not_refused(source: str, rendering: str) -> None:
    assert reason(source, rendering) is None


@pytest.mark.parametrize(
    ("rendering", "expected"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("Here is the translation:", "empty"),
        ("x", "degenerate"),
        ("Krankenschwester", "degenerate"),
        ("😀😀😀", "degenerate"),
        ("...", "degenerate"),
        ("<p></p>", "degenerate"),
        ("12345", "degenerate"),
        ("die die die die die die die die", "degenerate"),
        ("Die Frau ging, die Frau ging, die Frau ging, die Frau ging.", "degenerate"),
        ("I cannot help with that request.", "refusal"),
        ("Als KI kann ich diesen Text leider nicht übersetzen.", "refusal"),
        ("Es tut mir leid, aber ich kann dabei nicht helfen.", "refusal"),
        ("Lo siento, pero no puedo ayudar con eso.", "refusal"),
        ("Je suis désolé, mais je ne peux pas vous aider.", "refusal"),
        ("Извините, но я не могу помочь с этим.", "refusal"),
        ("ERROR 500", "error message"),
        ("HTTP/1.1 502 Bad Gateway", "error message"),
        ("429 Too Many Requests", "error message"),
        ("null", "error message"),
        ('{"error": {"code": 429, "message": "slow down"}}', "error message"),
        ("<!DOCTYPE html><html><body>Sie ging.</body></html>", "error message"),
        ("Traceback (most recent call last):", "error message"),
        ("Something went wrong. Please try again later.", "error message"),
        ("Translate the following text into German.", "repeats the source"),
        (f"Translate the following text into German: {NURSE}", "repeats the source"),
        (f"Übersetze den folgenden Text ins Deutsche: {NURSE}", "repeats the source"),
        ("Die Krankenschwester sagte dem", "cut off"),
        ("Die Krankenschwester sagte dem Patienten und", "cut off"),
        ("Die Krankenschwester...", "cut off"),
    ],
)
def test_each_kind_of_garbage_has_its_reason(rendering: str, expected: str) -> None:
    assert reason(NURSE, rendering) == expected


@pytest.mark.parametrize(
    "rendering",
    [
        f"Here is the translation: {MEMBERS['de']}",
        f"Sure! Here is the German translation:\n\n{MEMBERS['de']}",
        f"{MEMBERS['de']}\n\n(Note: I used the feminine form because of the pronoun she in the source.)",
        f"{MEMBERS['de']} (Note: The gender of the patient is not stated in the English sentence.)",
        f'{{"translation": "{MEMBERS["de"]}"}}',
        f"<p>{MEMBERS['de']}</p>",
        f"{NURSE}\n{MEMBERS['de']}",
        MEMBERS["de"].lower().rstrip("."),
    ],
)
def test_a_translation_with_something_around_it_is_still_one(rendering: str) -> None:
    assert reason(NURSE, rendering) is None


@pytest.mark.parametrize(
    ("languages", "source", "rendering"),
    [("ko-en", "그 사람은 도덕적이야", "She"), ("hu-en", "Ő egy orvos.", "He is a"), ("tr-en", "O çalışkan.", "He"),
     ("ko-en", "걔는 양심이 없어", "He has no"), ("hu-en", "Ő egy házaló.", "He is a door-to-"),
     ("en-fr", "The cook called the guest and thanked her.", "La cuisinière a appelé le client et"),
     ("en-uk", "The nurse thanked the chief and gave him a cake with candles.", "Медсестра пішла"),
     ("en-de", "The clerk paid the cook, who had waited for an hour.", "Die Angestellte...")],
)  # fmt: skip
def test_what_must_go_on_or_is_far_too_short_is_cut_off(languages: str, source: str, rendering: str) -> None:
    assert reason(source, rendering, languages=languages) == "cut off"


HALVES = [("Ő egy orvos.", "She is a"), ("Ő egy jó beszédíró.", "She is a good"), ("Ő egy parti őr.", "She is a coast"),
          ("Ő egy tapétázó.", "He is a wall"), ("Ő egy tudós.", "He is a sc"), ("Ő felelőtlen.", "She"),
          ("Ő egy mentős.", "He is an")]  # fmt: skip
WHOLE = [("Ő egy orvos.", "She is a doctor"), ("Ő egy mentős.", "He's an ambulance"), ("Ő egy őr.", "He is a coast"),
         ("Ő jó.", "She is good"), ("Ő erős.", "He is strong"), ("Ő felelőtlen.", "She is irresponsible"),
         ("Ő egy zoológus.", "He is a zoologist"), ("Ő tapétázó.", "She is a wall")]  # fmt: skip


def test_a_run_that_cuts_its_answers_is_refused_as_a_whole_and_one_without_full_stops_is_not() -> None:
    """132 of 1,653 whole answers of one translator were refused: it writes no full stops."""
    run, stopped = (pl.DataFrame(rows * 4, schema=["source", "rendering"], orient="row") for rows in (HALVES, WHOLE))
    assert set(check("hu", "en").check_run(run)) == {"cut off"}
    assert check("hu", "en").check_run(stopped).null_count() == stopped.height
    ended = run.with_columns(pl.col("rendering") + ".")
    assert check("hu", "en").check_run(ended).null_count() == ended.height


@pytest.mark.parametrize(
    ("languages", "source", "rendering"),
    [("hu-en", "ő egy orvos", "he is a doctor"), ("ko-en", "걔는 의사야", "She is a doctor"),
     ("hu-en", "Ő jó.", "She is good"),
     ("ko-en", "그 사람은 강해", "He is strong"), ("hu-en", "ő egy zoológus", "He is a zoologist"),
     ("hu-en", "Ő az osztály tagja", "He is a member"), ("hu-en", "Ő.", "He."), ("de-en", "Er", "He"),
     ("ja-en", "あの人は外科医です。", "She is a surgeon"), ("eu-en", "Hura kudeatzailea da.", "He is a manager"),
     ("en-de", "He was seen in the park in 1984.", "1984 wurde er im Park gesehen"),
     ("en-es", "The duke greeted the singer and gave her a rose.", "El duque saludó a la cantante y le dio una rosa"),
     ("en-it", "The cook peeled the onion and woke him.", "Il cuoco ha sbucciato la cipolla e lo ha svegliato,")],
)  # fmt: skip
def test_a_whole_short_sentence_without_a_full_stop_is_let_be(languages: str, source: str, rendering: str) -> None:
    assert reason(source, rendering, languages=languages) is None


def test_letters_a_language_does_not_have_tell_it_from_its_neighbour() -> None:
    assert reason("I made the bed.", "Pościeliłem łóżko.", languages="en-cs") == "another language"
    assert reason("I made the bed.", "Pościeliłem łóżko.", languages="en-pl") is None
    assert reason("I made the bed.", "Ustlal jsem postel.", languages="en-cs") is None


def test_a_text_about_others_excuses_no_refusal_in_the_first_person() -> None:
    """Six garbage runs had an estimate to show, of one sentence each: a translator, a request or an apology in it."""
    apology = "Grandfather never said that he was sorry."
    assert reason(apology, "Je suis désolé, mais je ne peux pas vous aider.", languages="en-fr") == "refusal"
    assert reason(apology, "Grand-père n'a jamais dit qu'il était désolé.", languages="en-fr") is None
    assert reason("Ő egy fordító.", "I cannot help with that request.", languages="hu-en") == "refusal"
    assert (
        reason("I am sorry, I cannot help you.", "Je suis désolé, je ne peux pas vous aider.", languages="en-fr")
        is None
    )
    assert reason("Er kann das nicht übersetzen.", "He cannot translate that.", languages="de-en") is None
    assert reason("Ő sokoldalú.", "null", languages="hu-en") == "error message"


def test_a_translator_in_the_source_excuses_a_translation_and_no_prompt() -> None:
    assert reason("Ő egy fordító.", "She is a translator.", languages="hu-en") is None
    for prompt in ("Translate the following text into English: Ő egy fordító.",
                   "You are a professional translator. Translate the user's text into English."):  # fmt: skip
        assert reason("Ő egy fordító.", prompt, languages="hu-en") == "repeats the source"
    assert reason("She died in 1256.", "x", languages="en-hi") == "degenerate"


def test_a_source_that_apologises_or_tells_of_an_error_may_be_rendered_so() -> None:
    sorry = "I'm sorry, but I can't help you with that."
    assert reason(sorry, "Es tut mir leid, aber ich kann Ihnen dabei nicht helfen.") is None
    assert reason("Error 500: the server cannot be reached.", "Fehler 500: Der Server ist nicht erreichbar.") is None
    assert reason("Please translate this letter.", "Bitte übersetzen Sie diesen Brief.") is None


def test_a_language_we_have_no_words_of_is_checked_for_what_needs_none() -> None:
    assert reason(NURSE, "Muuguzi alimwambia mgonjwa kwamba amechelewa.", languages="en-sw") is None
    assert reason(NURSE, "Медсестра сказала пациенту, что опоздала.", languages="en-sw") == "another language"
    assert reason(NURSE, "ERROR 500", languages="en-sw") == "error message"


def test_regions_and_other_codes_name_the_same_language() -> None:
    for code in ("pt-BR", "pt_PT", "por_Latn"):
        assert Validity("eng", code).finding(NURSE, MEMBERS["pt"]) is None
        assert Validity("eng", code).finding(NURSE, MEMBERS["es"]) is not None


def test_a_finding_depends_on_its_own_row_alone() -> None:
    rows = [(NURSE, text) for text in (*MEMBERS.values(), "", "x", NURSE)]
    pairs = pl.DataFrame(rows, schema=["source", "rendering"], orient="row")
    together = check("en", "de").check(pairs).to_list()
    alone = [Validity("en", "de").check(pairs[k]).item() for k in range(pairs.height)]
    assert together == alone
    assert set(together) - {None} <= {reason.value for reason in Reason}


def test_every_reason_can_be_told_in_words() -> None:
    told = {f.reason: f.why for text in ("", "x", NURSE, MEMBERS["fr"], "ERROR 500", "Die Frau sagte dem",
            "I cannot help with that request.") if (f := check("en", "de").finding(NURSE, text))}  # fmt: skip
    assert set(told) == set(Reason)
    assert all(told.values())


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_is_too_odd_to_be_looked_at(source: str, rendering: str) -> None:
    found = check("en", "de").finding(source, rendering)
    assert found is None or found.reason in Reason
    assert (found is not None and found.reason is Reason.EMPTY) or rendering.strip()


@pytest.mark.parametrize(
    ("source_lang", "source", "rendering"),
    [
        ("hu", "Ő egy könyvtáros.", "O egy konyvtaros."),
        ("fi", "Hän on lääkäri.", "Han on laakari"),
        ("tr", "O bir öğretmen.", "O bir ogretmen."),
        ("es", "El médico llegó más tarde.", "El medico llego mas tarde."),
    ],
)
def test_a_source_that_comes_back_without_its_accents_is_no_rendering(
    source_lang: str, source: str, rendering: str
) -> None:
    found = check(source_lang, "en").finding(source, rendering)
    assert found is not None
    assert found.reason is Reason.REPEATS


def test_a_word_that_both_languages_share_but_for_an_accent_may_stay() -> None:
    assert check("es", "it").finding("El médico llegó más tarde.", "Il medico arrivò più tardi.") is None
    assert check("hu", "en").finding("Kovács Béla itt van.", "Kovacs Bela is here.") is None


@pytest.mark.parametrize(
    ("languages", "source", "rendering", "expected"),
    [
        ("en-de", "The baker sings.", "Baker sings.", "repeats the source"),
        ("en-es", "The baker sings.", "Baker sings.", "repeats the source"),
        ("en-fr", "The dancer smiles.", "dancer smiles", "repeats the source"),
        ("en-de", "The carpenter repaired the roof.", "Der carpenter repaired roof.", "repeats the source"),
        ("en-es", "The carpenter repaired the roof.", "El carpenter repaired the roof.", "repeats the source"),
        ("en-de", "The trainer jogs.", "Trainer joggt.", None),
        ("en-de", "The boss is cool.", "Boss ist cool.", None),
        ("en-de", "Manager online", "Manager online", None),
        ("en-it", "The manager is offline.", "Manager offline.", None),
        ("en-de", "Tom sings.", "Tom singt.", None),
        ("en-es", "The Rolling Stones play.", "The Rolling Stones tocan.", None),
        ("en-es", "Welcome, everybody!", "¡Tod@s l@s usuari@s!", None),
        ("en-uk", "Users", "Користувач(к)и", None),
    ],
)
def test_a_source_with_a_word_dropped_or_an_article_translated_is_still_the_source(
    languages: str, source: str, rendering: str, expected: str | None
) -> None:
    assert reason(source, rendering, languages=languages) == expected
