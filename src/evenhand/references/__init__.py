"""Outside statistics a measure compares with, as data files: shares of women by occupation, surveys."""
