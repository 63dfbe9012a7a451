"""The board: a static site of many runs. Rankings with groups of ties, a page per system, language and run."""
