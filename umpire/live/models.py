"""What the event streams keep: tickets not yet used."""

from __future__ import annotations

from django.db import models

from umpire.battles.models import Device, Seat


class Ticket(models.Model):
    """Opens one stream of a seat, once. `device` is None for an account signed in by a cookie."""

    hash = models.CharField(primary_key=True, max_length=64)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.CASCADE, related_name="+")
    number = models.IntegerField()
    expires = models.DateTimeField()

    def __str__(self) -> str:
        return f"ticket of {self.seat_id}"
