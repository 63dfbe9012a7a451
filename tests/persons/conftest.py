"""The small language model of the mining tests, for the finders on models."""

from tests.mining.conftest import tiny_lm

__all__ = ["tiny_lm"]
