"""Suites of occupations in English sentences, after WiBeMT (Troles & Schmid 2021) and WinoBias (Zhao et al. 2018)."""
