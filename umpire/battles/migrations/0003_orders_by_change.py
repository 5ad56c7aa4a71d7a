"""The changes of orders are numbered, for each seat and for the battle; a battle knows from which seat it was made."""

from itertools import groupby
from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def number(apps: Any, schema_editor: Any) -> None:
    """Numbers the orders that are there as they were given."""
    orders = apps.get_model("battles", "Order").objects
    rows = orders.order_by("battle_id", "sequence").only("id", "battle_id", "seat_id").iterator()
    for _, in_battle in groupby(rows, key=lambda order: order.battle_id):
        of_seat: dict[str, int] = {}
        for place, order in enumerate(in_battle, start=1):
            of_seat[order.seat_id] = of_seat.get(order.seat_id, 0) + 1
            orders.filter(pk=order.pk).update(changed=of_seat[order.seat_id], changed_in_battle=place)


class Migration(migrations.Migration):
    dependencies = [("battles", "0002_witnesses")]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="made_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="made", to="battles.seat"
            ),
        ),
        migrations.AddField(model_name="order", name="changed", field=models.IntegerField(default=0)),
        migrations.AddField(model_name="order", name="changed_in_battle", field=models.IntegerField(default=0)),
        migrations.RunPython(number, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(model_name="order", index=models.Index(fields=["seat", "changed"], name="order_by_change")),
        migrations.AddIndex(
            model_name="order",
            index=models.Index(fields=["battle", "changed_in_battle"], name="order_by_change_in_battle"),
        ),
    ]
