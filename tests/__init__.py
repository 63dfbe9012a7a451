"""Tests, by the room they are about; a package, so that no other package's tests are found in its place."""
