"""Text in shards, steps on any engine, results collected: what `mine` and `corpus` share."""
