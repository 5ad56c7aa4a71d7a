#!/usr/bin/env python
"""Django's command line, for the embedded server unless DJANGO_SETTINGS_MODULE says otherwise."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "umpire.settings.play")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:
        sys.exit(f"Umpire cannot start: {fault}")
