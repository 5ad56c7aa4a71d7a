"""Django's PostgreSQL, but nobody waits longer than his thread may for a server that does not answer."""
