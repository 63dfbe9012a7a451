"""Pronoun suites: languages with one word for she and he, audited on the same concepts.

The sentences of every suite have the columns

    id source source_lang focus focus_start focus_end concept kind polarity occupation isco08 sector english template

and formality and politeness where the language has them. kind is occupation, positive or negative; polarity is null for
occupations, and occupation, isco08 and sector are null for expressions. Clusters are concepts. Why the frames
(frames.tsv) read as they do:

Basque      Standard Basque has no third-person pronoun of its own; the demonstrative hura stands for she, he and it, so
            adjectives, which could be said of a thing, take pertsona hura ("that person").
Estonian    The short pronoun ta is the everyday one for she and he (the long tema stresses). No words in -nna.
Finnish     hän is she and he, and nothing else.
Hungarian   Everyday Hungarian would often drop the pronoun ő or the article; the template of Farkas & Nemeth (2022)
            keeps both, and the pronoun has to be there to be asked about.
Indonesian  Occupations take seorang, the classifier for people; adjectives stand alone after dia.
Japanese    There is no unmarked everyday third-person pronoun: 彼 and 彼女 name a gender, and one usually drops the
            subject. あの人 ("that person over there") is the nearest neutral word and is chosen knowingly; it compares
            with Korean 그 사람, not with 걔, and a rendering as "that person" is the literal one. Politeness is だ
            against です (plain against polite; the plain end is called impolite to share the attribute with Korean).
            Adjectives in -i take no だ; verbs store their polite form.
Persian     Formal written Persian: no indefinite -i, and است is never dropped. A zero-width non-joiner stands where the
            spelling asks for it. Arabic feminine forms in -e are left out.
Turkish     O is she, he and it, and also "that". Without bir, `O doktor.` reads as "that doctor" as easily as "s/he is
            a doctor", so occupations take bir; a bare adjective could be said of a thing, so adjectives take biri.
Korean      See korean.py.
"""
