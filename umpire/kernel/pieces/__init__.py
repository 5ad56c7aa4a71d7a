"""Pieces: whatever stands on the table or is held by what stands there, alike for every game."""
