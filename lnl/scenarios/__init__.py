"""Scenarios as text files: those shipped with the project, and the reader for all."""
