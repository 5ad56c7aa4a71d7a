"""The databases the server runs on are what the settings say they are."""

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


@pytest.mark.django_db
def test_sqlite_writes_ahead_and_locks_at_the_beginning() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("for SQLite")
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert cursor.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert settings.DATABASES["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert ":memory:" not in str(connection.settings_dict["NAME"])


@pytest.mark.postgres
@pytest.mark.django_db
def test_every_migration_runs_on_this_database() -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    assert "auth_user" in connection.introspection.table_names()
