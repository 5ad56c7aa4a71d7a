"""A server under load whose processes are killed and frozen at random, and what must be true of it afterwards.

It only proves: nothing that serves imports it. `manage.py chaos` runs it (see docs/decisions.md, 50).
"""
