import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("battles", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Ticket",
            fields=[
                ("hash", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
                ("expires", models.DateTimeField()),
                (
                    "device",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="battles.device"
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="battles.seat"),
                ),
            ],
        ),
    ]
