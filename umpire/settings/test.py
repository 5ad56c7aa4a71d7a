"""Tests: a SQLite file of this run's own, or PostgreSQL with UMPIRE_TEST_DATABASE=postgres."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from umpire.settings import environment
from umpire.settings.base import *

SECRET_KEY = "a key for tests alone, known to everybody who reads this file"
ALLOWED_HOSTS = ["*"]

# A file, not memory: tests with threads need one database that all of them see. Each process has its own.
VAR_DIR = Path(tempfile.mkdtemp(prefix="umpire-test-"))
atexit.register(shutil.rmtree, VAR_DIR, ignore_errors=True)

if os.environ.get("UMPIRE_TEST_DATABASE") == "postgres":
    DATABASES = {
        "default": environment.database(
            os.environ.get("DATABASE_URL_TEST", "postgresql://postgres@127.0.0.1:5432/postgres")
        )
    }
    DATABASES["default"]["TEST"] = {"NAME": f"umpire_test_{os.getpid()}"}
else:
    DATABASES = {"default": environment.database(f"sqlite:///{VAR_DIR / 'umpire.sqlite3'}")}
    # Power failures are not tested, so nothing need reach the disk.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}

CELERY_BROKER_URL = "memory://localhost//"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.05}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = {"anon": None, "join": None, "account": None, "seat": None}
LOGGING["root"]["level"] = "WARNING"

OFFER_EXAMPLES = True
