"""One process for one evening: a laptop, or a club's network without internet."""

from umpire.settings import environment
from umpire.settings.base import *

environment.private_place(VAR_DIR)
environment.private_database(DATABASES["default"])
SECRET_KEY = environment.kept_secret(VAR_DIR / "secret_key")

IS_ONE_EVENING = True
# Tablets come by whatever name or address this machine has today.
ALLOWED_HOSTS = ["*"]

LOG_LEVEL = environment.log_level("WARNING")
LOGGING["root"]["level"] = LOG_LEVEL
for _logger in LOGGING["loggers"].values():
    _logger["level"] = LOG_LEVEL

# Without TLS browsers ignore this header and complain of it.
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
