"""Published test sets as suites, read from their files as they are."""
