"""The board: a static site of many runs. Rankings with groups of ties, a page a system, a language and a run."""
