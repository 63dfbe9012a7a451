"""Word vectors: gender directions, association, mitigation, and what mitigation costs."""
