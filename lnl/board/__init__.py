"""The hex board: hexes and their geometry, maps read from text, what stands on them, lines of sight."""
