"""What the event streams keep: tickets not yet used."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from umpire.battles.models import Device, Seat


class Ticket(models.Model):
    """Opens one stream of a seat, once. It was got with a device's token, or in a session of an account: then `device`
    is None, and `session` and `proof` are the session's key and what it proves the account's password with."""

    hash = models.CharField(primary_key=True, max_length=64)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    session = models.CharField(max_length=40, default="")
    proof = models.CharField(max_length=128, default="")
    number = models.IntegerField()
    expires = models.DateTimeField()

    def __str__(self) -> str:
        return f"ticket of {self.seat_id}"
