"""What a whole file shows of its persons: words left untranslated, renderings of which nothing shows that they name the
person, contradictions that the translation itself takes back, and words that may name a thing."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import polars as pl

import evenhand.grammar
from evenhand.grammar.base import Language
from evenhand.grammar.english import singular
from evenhand.grammar.lexicon import PERSON, Column, shipped_forms
from evenhand.grammar.protocol import FEMININE, MASCULINE, Kind, Token
from evenhand.persons.lexicon import DATA, PersonLexicon
from evenhand.tsv import rows

THING = "thing?"  # what is printed of a word that may name a thing
KEPT, UNLISTED = "the translation keeps the English word", "no known translation of this word"
UNPROVEN = "the gender may be another word's"
SHORT = 10  # words of a string in which no other noun can be meant
BESIDE = 2  # words from a noun to one that agrees with it, a comma counted
NEAR = 3  # words between the two nouns of a pair
STEM = 5  # letters by which two words are known to be of one root
OTHER = {"female": "male", "male": "female"}
STATES = {"female": FEMININE, "male": MASCULINE}
COLUMN = {"female": Column.FEMALE, "male": Column.MALE}
SEX = {"female": ("woman", "female", "lady", "girl"), "male": ("man", "male", "gentleman", "boy")}
PERSONS_ONLY, BODIES = (Path(evenhand.grammar.__file__).parent / f"{name}.tsv" for name in ("persons_only", "bodies"))
KIN = frozenset("ancestor child descendant grandchild orphan parent sibling".split())  # of a page as often as of people
FAMILY = frozenset("mother father wife husband spouse son daughter aunt uncle grandmother grandfather".split())
ADJECTIVES = frozenset(
    "ally avenger barbarian descendant foe guest healer mercenary opponent suspect veterinarian winner".split()
)  # aliado, besides the adjectives of senses.tsv
FAMILY_STRINGS = 3  # strings that name one of these in a catalogue about people

# columns of persons while a file is read: may name a thing; the noun that renders the person and the word before it;
# whether it is listed for the English word; whether the English word is also in the translation; the words judged
EVIDENCE = {
    "thing": pl.Boolean, "form": pl.String, "led": pl.String, "adequate": pl.Boolean, "how": pl.String,
    "kept": pl.Boolean, "words": pl.String,
}  # fmt: skip


def kept(words: Sequence[str], renderings: Sequence[str]) -> list[bool]:
    """Whether each word appears in its rendering unchanged."""
    return [
        word.lower() in text.lower() and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None
        for word, text in zip(words, renderings, strict=True)
    ]


def settled(persons: pl.DataFrame, language: Language | None, labels: Mapping[str, int]) -> pl.DataFrame:
    """Persons of a file, with what the file itself decides; without evidence of its own no word is a woman's. `labels`
    are the translations of single words, with their units.

    An English word that the translation keeps, and that its language does not use for persons, is a name or a term
    (Mailman): no gender is read. Neither is one of a word that is listed for no person, unless the file uses it for the
    same noun again, nor where the gender may be another word's. A word that may name a thing names a person where its
    translation does, by itself or elsewhere in the file. A noun before another one ("patient name") counts where the
    translation names the person.
    """
    if language is None:
        return persons.filter(pl.col("kind").fill_null("noun") != "attributive")
    named_in = set(persons["unit"])
    words = Words(language, frozenset(text for text, unit in labels.items() if unit not in named_in))
    persons = _with_words(persons, words)
    noun = pl.col("thing").is_not_null() & (pl.col("person") != "") & (pl.col("by") != "the cast")
    noun &= pl.col("kind") != "pronoun"
    listed = pl.col("adequate").fill_null(value=False)
    own = pl.col("form").str.to_lowercase() == pl.col("person").str.to_lowercase()
    before = pl.col("kind") == "attributive"
    # German -er makes a man of a Reviewer, an article one of "el webmaster"
    common = (pl.col("how") == "article") & pl.col("form").str.contains(r"^\p{Ll}") & language.has_articles
    loan = (((pl.col("how") == "forms") & language.capitalises_nouns) | common) & ~before
    capital = pl.col("person").str.contains(r"^\p{Lu}")
    inside = capital & pl.col("form").str.contains(r"^\p{Lu}") & pl.col("led").str.contains(r"\w")
    if language.capitalises_nouns:  # there the English capital has to be inside a sentence: again, Butch warned
        inside = capital & pl.col("inside")
    named = own & capital.all().over("noun") & inside.any().over("noun")
    borrowed = (own & (listed | loan) & ~named).fill_null(value=False)
    name = noun & pl.col("kept") & ~borrowed & (pl.col("gender") != "both")
    repeated = pl.col("sexed") & (pl.col("source").n_unique().over("noun", "word") > 1)
    repeated &= ~before | (not language.capitalises_nouns)  # in German it is a compound: Flüchtlingslager
    unlisted = before | (pl.col("column") == Column.NONE)  # what stands before a noun is rendered by many words
    once = pl.col("source").n_unique().over("noun", "word") == 1
    adjective = (
        (pl.col("how") == "forms") & ~pl.col("sexed") & ~borrowed & once & language.has_articles
    )  # Blanco y negro
    unknown = ~listed & ((pl.col("gender") == "female") | (unlisted & ~repeated & ~borrowed) | adjective)
    guessed = noun & pl.col("gender").is_in(list(OTHER)) & (pl.col("says") == "open") & unknown
    signs = [Sign(*row) for row in persons.select(Sign._fields).iter_rows()]
    doubted = noun & pl.Series([not words.proves(sign) for sign in signs], dtype=pl.Boolean)
    both = pl.Series([words.names_both(sign) for sign in signs], dtype=pl.Boolean)
    place = pl.struct("unit", "form", "led")
    another = noun & ~listed & place.is_in(persons.filter(listed).select(place).to_series().implode())
    doubted |= another.fill_null(value=False)  # the word renders another person
    forms = persons.filter(pl.col("how") == "forms").group_by("unit").agg(others=pl.col("form").unique())
    # organizador ou participante: the word that agrees renders another person
    agreeing = pl.col("evidence").str.split(" ").list.set_difference(pl.concat_list("form"))
    shared = (agreeing.list.set_intersection("others").list.len() > 0).fill_null(value=False)
    doubted |= persons.join(forms, on="unit", how="left", maintain_order="left").select(shared).to_series()
    why = pl.when(name).then(pl.lit(KEPT)).when(guessed).then(pl.lit(UNLISTED)).when(doubted).then(pl.lit(UNPROVEN))
    unread = name | guessed | doubted
    table = persons.with_columns(
        reason=why.otherwise("reason"),
        gender=pl.when(unread).then(pl.lit("unknown")).when(both).then(pl.lit("both")).otherwise("gender"),
        evidence=pl.when(unread).then(pl.lit("")).otherwise("evidence"),
    )
    read = pl.col("gender") != "unknown"
    sure = table.filter(read & ~pl.col("thing") & pl.col("adequate") & (pl.col("kind") == "noun"))
    several = sure.group_by("word").agg(pl.col("noun").n_unique()).filter(pl.col("noun") > 1)["word"]
    same = pl.struct("noun", "word").is_in(sure.select(pl.struct("noun", "word")).to_series().implode())
    family = table.filter(pl.col("noun").is_in(FAMILY))["source"].n_unique() >= FAMILY_STRINGS
    person = pl.col("only") | (pl.lit(family) & pl.col("noun").is_in(KIN))
    person |= (pl.col("adequate") & (same | pl.col("word").is_in(several.implode()))).fill_null(value=False)
    says = pl.when(pl.col("thing") & ~person).then(pl.lit(THING)).otherwise("says")
    return table.with_columns(says=says).filter(
        (pl.col("kind").fill_null("noun") != "attributive") | (read & (pl.col("says") != THING))
    )


class Sign(NamedTuple):
    """By what a translation gives a person a gender: columns of persons."""

    says: str
    gender: str
    adequate: bool | None
    kind: str
    noun: str
    evidence: str | None
    form: str | None
    led: str | None
    how: str | None
    column: int
    words: str


class Words:
    """What a language's tables know of the words that render persons. `things` are words by which the file translates
    other nouns (Quarry: cantera)."""

    def __init__(self, language: Language, things: Collection[str] = ()) -> None:
        self.language, self.things = language, things
        self.forms = shipped_forms(language)

    def person(self, form: str) -> tuple[str, int]:
        """The dictionary form of a noun for a person and its columns; of a compound, those of its last part."""
        low, shortest = form.lower(), STEM - self.language.capitalises_nouns  # Sicherheitschef, Facharzt
        for start in range(max(1, len(low) - shortest + 1)):
            for word in self.language.lookups(low[start:] if start else form):
                if columns := self.forms.known.get(word, Column.NONE) & PERSON:
                    return word, columns
        return low, Column.NONE

    def sexed(self, form: str) -> bool:
        """True for a noun of which the ending shows a gender."""
        return self.language.noun(form).kind is Kind.SEXED

    def listed(self, noun: str) -> dict[str, int]:
        """The renderings of an English noun, with their columns."""
        concept = self.forms.concept(noun)
        return concept.single if concept else {}

    def proves(self, sign: Sign) -> bool:
        """False where a female form, or a contradiction, may be another word's doing."""
        if sign.gender not in OTHER or not sign.form:
            return True
        if self._no_noun(sign) or self._of_another_word(sign):
            return False
        if sign.kind == "attributive" and sign.how in ("article", "agreement") and self.language.has_articles:
            # its own article's: not zur Admin Startseite, i file utente, Calendario utente predefinito
            own = self.language.determiner(sign.led or "") and not self.language.capitalises_nouns
            return sign.how == "article" and bool(own)
        if sign.says == OTHER[sign.gender]:
            return self._contradicts(sign)
        return sign.says != "open" or sign.gender != "female" or self._woman(sign)

    def _no_noun(self, sign: Sign) -> bool:
        """True for the small letter of an adjective where nouns have a capital (eine mutierte Art), and for a body or a
        thing that the feminine form names (la Guardia, dalla critica)."""
        form, others = sign.form or "", self.language.tokens(sign.words)[1:]
        if self.language.capitalises_nouns and form[:1].islower():
            return any(token.text[:1].isupper() for token in others)
        if sign.gender != "female" or sign.says == "female":
            return False
        words = [self.person(word)[0] for word in form.split()]  # la Guardia Roja
        return not self._bodies.isdisjoint(words) or any(word in self.things for word in self.language.lookups(form))

    def _of_another_word(self, sign: Sign) -> bool:
        """True where a noun of either gender is read by a word that is no part of its phrase: cada página exibe 25
        assinantes."""
        if sign.how not in ("article", "agreement") or sign.column != PERSON or not self.language.has_articles:
            return False
        far = sign.how == "article" and len((sign.evidence or "").split()) > NEAR + 1
        return far or self._behind_word(sign, thing=True)

    def _behind_word(self, sign: Sign, *, thing: bool = False) -> bool:
        """True for what follows a noun for a thing (la lista propietaria) or, without `thing`, any noun or verb."""
        language, led = self.language, sign.led or ""
        if language.capitalises_nouns or not language.has_articles or not led.isalpha():
            return False
        if language.determiner(led) or language.function_word(led):
            return False
        return language.noun(led).kind is Kind.THING or not (thing or language.prenominal(led))

    def _of_a_noun(self, sign: Sign) -> bool:
        """True behind a noun for persons and a preposition: esperto di statistica."""
        language, lows = self.language, [token.low for token in self.language.tokens(sign.words)]
        low = (sign.form or "").lower()
        at = lows.index(low) if low in lows else 0
        bare = at > 1 and language.function_word(lows[at - 1]) and not language.determiner(lows[at - 1])
        return bare and language.has_articles and bool(self.person(lows[at - 2])[1])

    def _woman(self, sign: Sign) -> bool:
        """False for a form that may be a man's in another case (супруга), a word for all (todas), an adjective of the
        noun before it (tropas enemigas), and for what agrees with another word: la persona como hija."""
        language, low, led = self.language, (sign.form or "").lower(), sign.led or ""
        if language.determiner(low) or language.function_word(low) or self._of_a_man(sign.form or ""):
            return False
        if any(language.has(token.low, "anybody") for token in language.tokens(sign.words)):
            return False
        if language.adjectival(low) and language.has_articles and (low.endswith("en") or not language.determiner(led)):
            return False  # an Verbündete, Eurer Verbündeten
        if sign.how == "forms" and (sign.column == PERSON or self._behind_word(sign) or self._of_a_noun(sign)):
            return False  # the tables list the word for both (hodowca), or it is another word's
        own = led in {"", ","} or led.isdigit() or bool(language.determiner(led))
        if sign.how in ("agreement", "article") and not language.has_articles and sign.column != Column.FEMALE:
            return self._beside(sign)
        if sign.how == "agreement" and language.has_articles:  # not "Chiave dell'utente bloccata"
            sure = own and sign.column != Column.MALE and not language.begins(led)
            return sure and not self._of_another_clause(sign)
        if sign.how == "article" and language.has_articles and (not led or sign.column == Column.MALE):
            return False
        behind_word = led.isalpha() and not own and not language.function_word(led)
        if sign.kind == "attributive" or sign.noun in self._adjectives:
            # not "tropas enemigas", "une erreur utilisateur", взрослой особью
            return not behind_word and (language.has_articles or not language.adjectival(low))
        return sign.how != "article" or not behind_word or bool(language.prenominal(led) and language.has_articles)

    def _beside(self, sign: Sign) -> bool:
        """True where a word that agrees is next to the noun, and the noun is in its dictionary form (врач пришла): in
        the other cases the word may agree with any noun (książki adresowej użytkownika)."""
        form = sign.form or ""
        own = self.person(form)[0] == form.lower() and bool(sign.column)
        return own and any(map(self._feminine, self._agreeing(sign)))

    def _agreeing(self, sign: Sign) -> list[Token]:
        """The words next to the noun by which its gender was read."""
        language, tokens = self.language, self.language.tokens(sign.words)
        at = next((n for n, token in enumerate(tokens) if token.text == sign.form), len(tokens))
        said = set((sign.evidence or "").split()) - {sign.form}
        beside = (token for token in tokens[max(0, at - 1) : at + BESIDE + 1] if token.text in said)
        return [token for token in beside if language.agreeing(token.low) or not language.function_word(token.low)]

    def _feminine(self, token: Token) -> bool:
        """True for a word that is feminine in every reading, not for вломились копы (plural), Szaman krokodyla."""
        cells = [reading.cells for reading in self.language.read(token) if reading.known]
        return bool(cells) and all(one & FEMININE and not one & MASCULINE for one in cells)

    def _of_another_clause(self, sign: Sign) -> bool:
        """True where a comma, a relative pronoun or a conjunction is between the noun and what agrees with it: Buena
        suerte, Comandante; l'utente che è stata ricevuta un'email."""
        tokens = [token.low for token in self.language.tokens(sign.words)]
        form, said = (sign.form or "").lower(), set((sign.evidence or "").lower().split())
        if form not in tokens:
            return False
        words = self.language  # l'adversaire souhaite, l'utente visita
        agreeing = {low for low in said if not words.verb(low) and words.noun(low).kind is not Kind.THING}
        if not agreeing - {form}:
            return True
        at = tokens.index(form)
        places = (n for n, low in enumerate(tokens) if low in agreeing - {form})
        near = min(places, key=lambda n: abs(n - at), default=at)
        between = tokens[min(near, at) + 1 : max(near, at)]
        others = any(low.isalpha() and not self.language.function_word(low) for low in between)
        return ("," in between and others) or any(map(self.language.relative, between))

    def _of_a_man(self, form: str) -> bool:
        """True for a form that may also belong to a noun for a man."""
        columns = [self.forms.known.get(word, Column.NONE) & PERSON for word in self.language.lookups(form)]
        return Column.FEMALE in columns and Column.MALE in columns

    def _contradicts(self, sign: Sign) -> bool:
        """False where the noun is no rendering of the English one nor its counterpart, has the stated gender itself, or
        where another word states that ("Discendenti femmine"); for an English noun of either gender also where the
        language has no other word (a female guru), or women bear the masculine one (капитан)."""
        if sign.how == "agreement" and not self.language.has_articles and not self._agreeing(sign):
            return False
        if not any(sign.noun in nouns for nouns in self._gendered.values()):
            borne = sign.says == "female" and sign.how == "forms" and self.language.predicate_overrides
            if borne or COLUMN[sign.says] not in self.listed(sign.noun).values():
                return False
        own = sign.how == "article" or not self.language.predicate_overrides or sign.noun in self._gendered[sign.says]
        itself = sign.column == COLUMN[sign.says] and own
        if itself or not (sign.adequate or self._counterpart(sign)):
            return False
        return not self._states(sign.words, sign.says) and not self._beside_counterpart(sign, SHORT)

    def _counterpart(self, sign: Sign) -> bool:
        """True for a noun of the other gender that begins as a listed rendering of the English one does (profesor for a
        profesora); in a short string also for one that is listed for an English noun of that gender (padre, for the
        father), or for any where the tables do not know the English noun (König)."""
        listed, (word, columns) = self.listed(sign.noun), self.person(sign.form or "")
        if columns != COLUMN[sign.gender]:
            return False
        if any(other[:STEM] == word[:STEM] for other in listed if len(other) >= STEM):
            return True
        if not listed:  # in a longer string the word may render another person
            return len(sign.words.split()) <= SHORT // 2
        fits = any(word in self.listed(other) for other in self._gendered[sign.gender])
        return fits and len(sign.words.split()) <= SHORT and self._led(sign)

    def _led(self, sign: Sign) -> bool:
        """False for what an adverb leads (tão louco): it is no noun."""
        return not sign.led or not sign.led.isalpha() or bool(self.language.determiner(sign.led))

    @cached_property
    def _gendered(self) -> dict[str, list[str]]:
        genders = PersonLexicon().gendered
        return {gender: [noun for noun, own in genders.items() if own == gender] for gender in OTHER}

    @cached_property
    def _adjectives(self) -> frozenset[str]:
        return ADJECTIVES | {row["noun"] for row in rows(DATA / "senses.tsv") if row["interface"] == "adjective"}

    @cached_property
    def _bodies(self) -> frozenset[str]:
        code = self.language.code
        return frozenset(word for row in rows(BODIES) if code in row for word in row[code].split())

    def _states(self, text: str, gender: str) -> bool:
        """True where a word of the text says the gender outright: weiblich, de mujeres, Frauen-."""
        sex = tuple(word[:STEM] for noun in SEX[gender] for word in self.listed(noun) if len(word) >= STEM - 1)
        tokens = self.language.tokens(text)
        return any(self.language.states(one.low) & STATES[gender] or one.low.startswith(sex) for one in tokens)

    def names_both(self, sign: Sign) -> bool:
        """True where the noun's counterpart for the other gender is in the string as well: padre o madre."""
        if sign.gender not in OTHER or sign.says != "open":
            return False
        return self._beside_counterpart(sign, NEAR) or self._two_articles(sign)

    def _two_articles(self, sign: Sign) -> bool:
        """True where an article of each gender, with a conjunction or a slash between them, leads the noun: del o de la
        ponente."""
        language, lows = self.language, [token.low for token in self.language.tokens(sign.words)]
        at = next((n for n, low in enumerate(lows) if low == (sign.form or "").lower()), 0)
        before = lows[max(0, at - 4) : at]
        own = language.determiner(before[-1]) if before else 0
        other = next((n for n, low in enumerate(before[:-1]) if _apart(own, language.determiner(low))), len(before))
        between = before[other + 1 : -1]
        joined = any(low == "/" or language.has(low, "and", "joins", "joining") for low in between)
        return joined and all(low == "/" or language.function_word(low) for low in between)

    def _beside_counterpart(self, sign: Sign, near: int) -> bool:
        """True where a listed rendering of the other gender is at most `near` words from the noun."""
        wanted, low = COLUMN[OTHER[sign.gender]], sign.words.lower()
        listed = self.listed(sign.noun) or self.listed(sign.noun.rpartition("-")[2])
        others = {word for word, columns in listed.items() if columns == wanted and word[:-1] in low}
        if not others:
            return False
        tokens = self.language.tokens(sign.words)
        at = next((n for n, token in enumerate(tokens) if token.text == sign.form), None)
        around = () if at is None else (*range(max(0, at - near), at), *range(at + 1, min(at + near + 1, len(tokens))))
        return any(not others.isdisjoint(self.language.lookups(tokens[n].text)) for n in around)


def _apart(one: int, other: int) -> bool:
    """True for cells of two genders."""
    return any(one & mask and not other & mask for mask in (FEMININE, MASCULINE)) and bool(one and other)


def _inside(source: str, person: str | None) -> bool:
    """True for a word right behind one in small letters."""
    return bool(person) and re.search(rf"(?<!\w)[a-z]+,? {re.escape(person or '')}", source) is not None


def _with_words(persons: pl.DataFrame, words: Words) -> pl.DataFrame:
    """With the English singular (`noun`), the dictionary form that renders it (`word`), the columns of that in the
    tables, whether its ending shows a gender, and whether it names a person only."""
    code, forms = words.language.code, persons["form"].drop_nulls().unique().to_list()
    known = {form: words.person(form) for form in forms}
    only = {row["noun"]: tuple(row[code].split()) for row in rows(PERSONS_ONLY) if code in row}
    nouns = {word: singular(word.lower()) for word in persons["person"].drop_nulls().unique().to_list()}

    def by_form(of: Callable[[str], object], kind: type[pl.DataType]) -> pl.Expr:
        values = pl.Series([of(form) for form in forms], dtype=kind)
        return pl.col("form").replace_strict(pl.Series(forms, dtype=pl.String), values, default=None, return_dtype=kind)

    table = persons.with_columns(
        noun=pl.col("person").replace_strict(nouns, default="", return_dtype=pl.String),
        word=by_form(lambda form: known[form][0], pl.String),
        column=by_form(lambda form: known[form][1], pl.Int64).fill_null(0),
        sexed=by_form(words.sexed, pl.Boolean).fill_null(value=False),
    )
    apart = [(word or "").startswith(only.get(noun, ())) for noun, word in table.select("noun", "word").iter_rows()]
    inside = [_inside(*row) for row in table.select("source", "person").iter_rows()]
    return table.with_columns(only=pl.Series(apart, dtype=pl.Boolean), inside=pl.Series(inside, dtype=pl.Boolean))
