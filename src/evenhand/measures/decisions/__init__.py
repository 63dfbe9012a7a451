"""What a number decides: paired tests, rankings, margins, limits, gates, hypotheses."""
