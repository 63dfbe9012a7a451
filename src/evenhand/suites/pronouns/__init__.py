"""Pronoun suites: languages with one word for she and he, audited on the same concepts, which are their clusters.
frames.tsv says why each language's sentences read as they do."""
