"""What the module changes."""
