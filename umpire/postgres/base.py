"""The database backend `umpire.postgres`.

A server that is frozen (or behind a line that swallows everything) keeps its connections open and says nothing; no
setting of its own can end that. So each wait on a connection ends with the wait budget of the thread that waits.
"""

from __future__ import annotations

import select
import time
from typing import Any, TypeVar

import psycopg
from django.db.backends.postgresql import base, psycopg_any  # noqa: F401 -- base needs the other loaded
from psycopg import errors, pq

from umpire.serving import wait_budget

T = TypeVar("T")

CONNECTS_WITHIN = 3
"""Seconds, where the address does not say otherwise (`?connect_timeout=…`)."""
IDLE_IN_TRANSACTION = "15s"
"""After as long the server takes the locks of a process that was frozen or cut off in the middle of a transaction."""
SHORTEST = 0.05
"""Seconds for a wait by who may wait no longer: what has come already is still read."""


class Connection(psycopg.Connection[Any]):
    """A connection whose every wait is bounded by its thread's wait budget."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        left = wait_budget.left()
        if left is None or timeout is not None:
            return super().wait(gen, interval, timeout)
        start = time.monotonic()
        try:
            return super().wait(gen, interval, max(left, SHORTEST))
        except errors._WaitTimeout:
            # What the server does with the statement is not known, and its answer may still come: not to us.
            self.pgconn.finish()
            raise psycopg.OperationalError("the database server does not answer") from None
        finally:
            wait_budget.spend(time.monotonic() - start)


class _Driver:
    """The driver as Django asks for it, but for the kind of connection."""

    connect = staticmethod(Connection.connect)

    def __getattr__(self, name: str) -> Any:
        return getattr(psycopg, name)


class DatabaseWrapper(base.DatabaseWrapper):
    Database: Any = _Driver()

    def get_connection_params(self) -> dict[str, Any]:
        params = super().get_connection_params()
        left = wait_budget.left()
        params.setdefault("connect_timeout", CONNECTS_WITHIN)
        if left is not None:
            # Libpq's unit is a second, and it takes less than two for two.
            params["connect_timeout"] = max(2, min(int(params["connect_timeout"]), int(left)))
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        start = time.monotonic()
        try:
            return super().get_new_connection(conn_params)
        finally:
            wait_budget.spend(time.monotonic() - start)

    def is_usable(self) -> bool:
        """Whether a connection kept from another request still stands: asked of our own end of it where that can tell.
        A server that went away has closed it, and then there is something to read; one that is frozen is found out by
        the first statement, as it would be by one more before it."""
        pgconn = self.connection.pgconn
        if pgconn.status == pq.ConnStatus.OK and pgconn.transaction_status == pq.TransactionStatus.IDLE:
            idle = select.poll()
            idle.register(pgconn.socket, select.POLLIN | select.POLLHUP | select.POLLERR)
            if not idle.poll(0):
                return True
        return super().is_usable()

    def init_connection_state(self) -> None:
        super().init_connection_state()
        with self.cursor() as cursor:
            cursor.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_IN_TRANSACTION}'")
        if not self.get_autocommit():
            self.connection.commit()
