"""The game hosted: PostgreSQL, Redis, several processes behind a proxy that ends TLS."""

from umpire.settings import environment
from umpire.settings.base import *

SECRET_KEY = environment.required("SECRET_KEY")
# Keys that still verify what was signed before the last change of SECRET_KEY.
SECRET_KEY_FALLBACKS = environment.listed("SECRET_KEY_FALLBACKS")

environment.required("DATABASE_URL")
environment.required("REDIS_URL")

ALLOWED_HOSTS = environment.listed("ALLOWED_HOSTS") or [environment.required("ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = environment.listed("CSRF_TRUSTED_ORIGINS") or [
    f"https://{host.removeprefix('.') if not host.startswith('.') else '*' + host}" for host in ALLOWED_HOSTS
]

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = True
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = environment.number("SECURE_HSTS_SECONDS", 365 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True

REST_FRAMEWORK["NUM_PROXIES"] = environment.number("NUM_PROXIES", 1)
