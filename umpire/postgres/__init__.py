"""Django's PostgreSQL, but nobody waits longer than he has patience for a server that does not answer."""
