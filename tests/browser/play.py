"""The settings of `make play`, but for one: here a dozen devices join within a minute from one address."""

from umpire.settings import play
from umpire.settings.play import *  # noqa: F403

REST_FRAMEWORK = {**play.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": None, "join": None}}
