"""Word vectors: gender directions, association, mitigation, and what mitigation costs.

Start with `files.load`, `wordlists.WordLists.shipped`, `opening.open_space` and `study.run`; `mitigation` holds the
methods as objects with fit and transform, `wordscore` the word gender scores.
"""
