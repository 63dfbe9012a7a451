"""The closed word classes by which clauses of Russian and Ukrainian are told apart; both languages in one set, because
no word of one means another thing in the other."""

from __future__ import annotations

from evenhand.mend.slavic_words import SHORT

ENDS = frozenset(".;:!?…()—–,")
THEN = frozenset({"тоді", "тогда"})  # adverbs, though the dictionaries call them conjunctions
ACTIVE = ("вважа", "счита")  # вважав клієнта невинним: said of the object, unless the verb is reflexive
BELIEVING = ("вір", "повір", "закох", "перетвор")  # вірити в, with an accusative
RANKS = frozenset("першим першою останнім останньою первым первой последним последней".split())
FINITE = frozenset({"VERB", "ADJS", "PRTS"})
DASHES = frozenset("—–-")
QUOTES = frozenset('«»"“”„')
SUBORDINATE = frozenset(
    "что чтобы потому поскольку если когда пока хотя будто как чем ибо чей чья чьё чьи чью чьего чьей чьих чьим чьими "
    "где куда откуда що щоб тому якщо коли поки хоча бо чий чия чиє чиї де куди звідки".split()
)
JOINING = frozenset("и й та і или або но а".split())
CONTROLLED = frozenset({"чтобы", "щоб", "как", "як"})  # велел учителю, чтобы пришёл
NOMINATIVE = frozenset("я ты мы вы они кто никто это ми ви вони хто ніхто це ти".split())
BEING = tuple(
    "бы ста явля оста оказ каза показа счита работ служ умер верн родил выгляд чувств почувств бу вважа прац "
    "лиша лиши залиш виявл вияви помер вигляд почува народи".split()
)
ALWAYS = frozenset("сам сама один одна готов".split())
SHORTS = SHORT.keys() | frozenset(SHORT.values())  # always predicates


PREPOSITIONS = {  # the case that a preposition asks for where the form leaves several
    "gent": "у от до из без для около возле вокруг после против среди вместо кроме ради из-за из-под мимо від біля "
    "після проти серед замість крім заради поза із з",
    "accs": "в во на за через про под сквозь крізь під",
    "loct": "в во на о об обо при у по",
    "datv": "к ко по благодаря согласно вопреки навстречу до",
    "ablt": "с со над под перед за между із з над під перед за між",
}
GOVERNED = {case: frozenset(words.split()) for case, words in PREPOSITIONS.items()}
QUANTITY = frozenset("два две три четыре пять много мало несколько сколько нет дві чотири багато кілька нема".split())

ABSENT = frozenset("было будет стало хватает хватало оказалось осталось було буде стало вистачає".split())
