"""Who counts as a person in natural text, and which verdicts do not count: own sentences, read by hand."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

import evenhand
from evenhand.pipeline.engines import LocalEngine
from evenhand.workflows.corpus import corpus

# a noun for persons that names no person
NOBODY = [
    ("Parliament is not yet a full partner in this.", "Das Parlament ist darin noch kein voller Partner."),
    ("Norway is a candidate for that.", "Norwegen ist dafür ein Kandidat."),
    ("The company and its neighbours agreed.", "Die Firma und ihre Nachbarn einigten sich."),
    ("The horses became heroes of the war.", "Die Pferde wurden Helden des Krieges."),
    ("I bought a new DVD player yesterday.", "Gestern habe ich einen neuen DVD-Spieler gekauft."),
    ("I lost my driver's licence in the snow.", "Ich habe im Schnee meinen Führerschein verloren."),
    ("Are you guys hungry again?", "Habt ihr schon wieder Hunger?"),
    ("An adult male tiger sleeps all day.", "Ein erwachsener Tiger schläft den ganzen Tag."),
    ("A law that fathers a new debate is useful.", "Ein Gesetz, das eine neue Debatte auslöst, ist nützlich."),
    ("I met him at the Bakers' Club last week.", "Ich traf ihn vorige Woche im Bäckerklub."),
]  # fmt: skip
SOMEBODY = [
    ("My sister is a partner who never sleeps.", "Meine Schwester ist eine Partnerin, die nie schläft."),
    ("My partner is tired of it.", "Meine Partnerin ist es leid."),
    ("Anna is a candidate for that.", "Anna ist dafür eine Kandidatin."),
    ("The products are cheating customers again.", "Die Produkte betrügen wieder Kunden."),
    ("The man in the red car is a teacher.", "Der Mann im roten Auto ist Lehrer."),
]  # fmt: skip
# target, source, rendering, focus, the verdict that counts
COUNTED = [
    ("de", "These words may calm people down.", "Diese Worte können die Gemüter beruhigen.", "people", "unknown"),
    ("de", "The migrant children sang for us.", "Die Migrationskinder sangen für uns.", "children", "neutral"),
    ("de", "Letters of citizens were read.", "Bürgerinnen- und Bürgerbriefe wurden gelesen.", "citizens", "unknown"),
    ("de", "Most people were asleep by then.", "Die meisten schliefen da schon.", "people", "neutral"),
    ("de", "A woman in town knew everything.", "In der Stadt wusste der Bürger alles.", "woman", "unknown"),
    ("es", "The left-wingers want a new law.", "Los de izquierda quieren una ley nueva.", "left-wingers", "unknown"),
    ("es", "They want to choose the president.", "Quieren decidir quién va a presidirla.", "president", "unknown"),
    ("fr", "The people need more time.", "Cela a permis de gagner du temps.", "people", "unknown"),
    ("fr", "I saw no illegal immigrants.", "Je n'ai vu aucune immigration illégale.", "immigrants", "unknown"),
    ("fr", "I like all the people in this town.", "J'aime tous les gens de cette ville.", "people", "neutral"),
    ("fr", "One or two of the speakers left early.", "Un ou deux des orateurs sont partis tôt.", "speakers", "male"),
    ("it", "Assistants were invited.", "Assistenti sono state invitate.", "Assistants", "female"),
    ("it", "Singers have been chosen.", "Cantanti sono stati scelti.", "Singers", "male"),
    ("it", "Patients were treated at home.", "Pazienti sono state curate a casa.", "Patients", "female"),
    ("fr", "Citizens and small firms know it.", "Les citoyens et les petites firmes le savent.", "Citizens", "male"),
    ("pl", "All nurses here are kind.", "Wszystkie pielęgniarki są tu uprzejme.", "nurses", "female"),
    ("pl", "She is a beautiful woman.", "Ona jest piękną kobietą.", "woman", "female"),
    ("fr", "The rest of the dentists is unknown.", "Le reste des dentistes est connu.", "dentists", "neutral"),
    ("es", "Women and young people came here.", "Las mujeres y los jóvenes vinieron aquí.", "people", "male"),
    ("es", "They want to be seen only as victims.", "Quieren ser vistos solo como víctimas.", "victims", "neutral"),
    ("ru", "My grandparents live in a village.", "Мои бабушка с дедушкой живут в деревне.", "grandparents", "both"),
    ("ru", "Anna and Peter are cousins.", "Анна и Пётр двоюродные брат и сестра.", "cousins", "both"),
]  # fmt: skip


def verdicts(folder: Path, target: str, pairs: list[tuple[str, str]]) -> dict[str, dict[str, str]]:
    """source -> focus -> gender of every person that counts."""
    file = folder / f"{target}.tsv"
    always = ("The nurse came.", {"de": "Die Pflegerin kam.", "fr": "L'infirmière est venue."}.get(target, "-"))
    file.write_text("".join(f"{s}\t{t}\n" for s, t in [*pairs, always]), encoding="utf-8")
    corpus(file, target=target, output=folder / target, engine=LocalEngine(1))
    seen: dict[str, dict[str, str]] = defaultdict(dict)
    for row in evenhand.load_run(folder / target / "sample").table.iter_rows(named=True):
        seen[row["source"]][row["source"][row["focus_start"] : row["focus_end"]]] = row["gender"]
    return seen


def test_nouns_that_name_nobody_are_left_out_and_persons_stay(tmp_path: Path) -> None:
    seen = verdicts(tmp_path, "de", [*NOBODY, *SOMEBODY])
    assert not {source: seen[source] for source, _ in NOBODY if source in seen}
    assert not [source for source, _ in SOMEBODY if source not in seen]


@pytest.mark.parametrize("target", sorted({row[0] for row in COUNTED}))
def test_a_gender_rests_on_a_word_that_is_the_persons(tmp_path: Path, target: str) -> None:
    asked = [row for row in COUNTED if row[0] == target]
    seen = verdicts(tmp_path, target, [(source, rendering) for _, source, rendering, _, _ in asked])
    assert {s: seen[s].get(focus) for _, s, _, focus, _ in asked} == {s: gender for _, s, _, _, gender in asked}
