"""Pages: a run, several runs, findings of every kind, a project; what stands on them and where."""
