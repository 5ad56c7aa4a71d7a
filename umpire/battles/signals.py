"""What others in this process may listen to."""

from django.dispatch import Signal

published = Signal()
"""Sent after the commit of whatever gave news: `battle_id`, and `seats`, the number of the last news by seat id."""
