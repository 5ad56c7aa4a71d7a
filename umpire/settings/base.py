"""Settings that hold wherever the server runs.

DATABASE_URL and REDIS_URL decide where it runs: without them one SQLite file and a broker in memory.
"""

import os
from pathlib import Path
from typing import Any

from umpire.settings import environment

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = Path(os.environ.get("UMPIRE_VAR") or BASE_DIR / "var")
CLIENT_DIR = BASE_DIR / "frontend" / "dist"

DEBUG = False

OFFER_EXAMPLES = environment.number("OFFER_EXAMPLES", 0) > 0
"""Whether the example system (the toy of docs/rules-package.md) is there: to prove the server, never in production."""
IS_ONE_EVENING = False
"""Whether this is a laptop among tablets: links carry whatever addresses its network gives it."""
ALLOWED_HOSTS: list[str] = []

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "rest_framework",
    "drf_spectacular",
    "fireforce",
    "lnl",
    "umpire.battles",
    "umpire.hidden",
    "umpire.desk",
    "umpire.campaigns",
    "umpire.live",
    "umpire.api",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "umpire.security.ContentSecurityPolicy",
    "umpire.pages.ClientFiles",
    "umpire.serving.priority.RequestsFirst",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "umpire.urls"
ASGI_APPLICATION = "umpire.asgi.application"
TEMPLATES: list[dict[str, Any]] = []
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# The database and the broker

DATABASE_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'umpire.sqlite3'}"
REDIS_URL = os.environ.get("REDIS_URL", "")

DATABASES = {"default": environment.database(DATABASE_URL)}
# A thread of the server keeps its connection from one request to the next.
DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
CELERY_BROKER_URL = REDIS_URL or "memory://localhost//"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    # A task not acknowledged for five minutes is given to another worker; the longest takes seconds.
    {"visibility_timeout": 300, "socket_connect_timeout": 2, "socket_timeout": 5, "socket_keepalive": True}
    if REDIS_URL
    else {"polling_interval": 0.1}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker waits for its broker as long as it takes.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# What a task does stands in the database; nobody waits for its result.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_TIMEZONE = TIME_ZONE

# How often a worker sends again what the outbox still holds, in seconds.
OUTBOX_SWEEP_SECONDS = 5
# How long the replies kept for idempotency keys outlive their battle's end, in days; a worker looks every hour.
REPLIES_KEPT_DAYS = environment.number("REPLIES_KEPT_DAYS", 7)

# REST

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "umpire.api.refusals.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": [
        "umpire.api.throttles.Strangers",
        "umpire.api.throttles.Doors",
        "umpire.api.throttles.Seats",
    ],
    # Strangers and attempts to come in (a view with throttle_scope = "join") by address, attempts to sign in also by
    # account, what seats send by seat.
    "DEFAULT_THROTTLE_RATES": {"anon": "240/min", "join": "60/min", "account": "20/min", "seat": "600/min"},
    # How many proxies of our own stand before the server; without one nobody's X-Forwarded-For is believed.
    "NUM_PROXIES": 0,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Umpire",
    "DESCRIPTION": "Battles with hidden forces: each seat sees what it knows.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "AUTHENTICATION_WHITELIST": [],  # umpire.api.schema says itself what gives entrance
}

# The web client, and what every answer says about who may show it

STATIC_URL = "/static/"
if CLIENT_DIR.is_dir():
    WHITENOISE_ROOT = CLIENT_DIR
# The client's builder puts a hash into the names of what lies under assets/.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/.+-[0-9A-Za-z_-]{8,}\.\w+$"

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY: str | None = "same-origin"
CONTENT_SECURITY_POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data: blob:",
    # The map library and the client's transitions write styles into the page.
    "style-src": "'self' 'unsafe-inline'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

LOG_LEVEL = environment.log_level("INFO")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "redacted": {
            "()": "umpire.security.RedactingFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        }
    },
    "filters": {"rate_limit": {"()": "umpire.serving.log_limit.RateLimit"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "redacted", "filters": ["rate_limit"]}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        # Everything goes through the redacting handler above, and only through it.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        "uvicorn": {"handlers": [], "level": "INFO", "propagate": True},
        "uvicorn.access": {"handlers": [], "level": "INFO", "propagate": True},
    },
}
