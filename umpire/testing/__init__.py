"""For tests of rules packages: a toy package, random play, and the invariants that every package has to keep."""
