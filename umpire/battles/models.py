"""What the server keeps. Public ids are random, never counted; nothing here is served to a seat as it stands."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone


def public_id() -> str:
    """An id that says nothing: twelve url-safe characters."""
    while (drawn := secrets.token_urlsafe(9)).startswith(("-", "_")):  # a command line would take it for an option
        pass
    return drawn


class SettingHalf(models.Model):
    """One half of a setting, kept once under its digest for all battles that are fought with it. `version` is the
    ledger version that wrote `data`, which stays as it was."""

    class Half(models.TextChoices):
        PUBLIC = "public"
        UMPIRE = "umpire"

    digest = models.CharField(primary_key=True, max_length=64)
    system = models.CharField(max_length=40)
    half = models.CharField(max_length=8, choices=Half.choices)
    version = models.IntegerField(default=1)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.system} {self.half} {self.digest[:12]}"


class Battle(models.Model):
    """A battle and its head: the line and depth reached, and the state there.

    Whoever changes the battle begins with `UPDATE … SET version = new WHERE version = old`. `depth` counts the entries
    from the root to the head of `line`. `open_depth` is where the open order's `Begun` stands and `open_before` the
    state before it: caches of what the line says. While a hidden ruling is paused, seats are still served from `shown`,
    the state at `shown_depth`.
    """

    class Status(models.TextChoices):
        PREPARING = "preparing"
        RUNNING = "running"
        FINISHED = "finished"

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    system = models.CharField(max_length=40)
    scenario = models.CharField(max_length=100)
    title = models.CharField(max_length=200)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="battles")
    made_by = models.ForeignKey("Seat", null=True, on_delete=models.SET_NULL, related_name="made")
    """The umpire's seat of another battle from which it was made: who sits there is an umpire here too."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    options = models.JSONField(default=dict)
    is_demo = models.BooleanField(default=False)
    is_archived = models.BooleanField(default=False)
    """Whether its umpire has put it away; it is what it was."""

    public_setting = models.ForeignKey(SettingHalf, on_delete=models.PROTECT, related_name="+")
    umpire_setting = models.ForeignKey(SettingHalf, on_delete=models.PROTECT, related_name="+")
    secret = models.BinaryField()
    commitment = models.CharField(max_length=64)

    version = models.BigIntegerField(default=0)
    line = models.IntegerField(default=0)
    depth = models.IntegerField(default=0)
    state = models.BinaryField()
    digest = models.CharField(max_length=64)
    open_depth = models.IntegerField(null=True)
    open_before = models.BinaryField(null=True)
    shown_depth = models.IntegerField(null=True)
    shown = models.BinaryField(null=True)
    fault = models.TextField(default="", blank=True)

    created = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    is_opened = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.title} ({self.id})"


class Line(models.Model):
    """A line of the ledger's tree: it leaves `parent` after `fork` entries, counted from the root."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="lines")
    number = models.IntegerField()
    parent = models.IntegerField(null=True)
    fork = models.IntegerField(default=0)
    dice = models.IntegerField(default=0)
    reason = models.TextField(default="", blank=True)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "number"], name="line_once")]

    def __str__(self) -> str:
        return f"line {self.number} of {self.battle_id}"


class Entry(models.Model):
    """An entry of the ledger. `version` is the ledger version that wrote `body`; `giver` is set on a `Begun` alone."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="entries")
    line = models.IntegerField()
    depth = models.IntegerField()
    kind = models.CharField(max_length=12)
    giver = models.CharField(max_length=100, default="", blank=True)
    version = models.IntegerField()
    body = models.BinaryField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "line", "depth"], name="entry_once")]
        indexes = [models.Index(fields=["battle", "kind", "giver"], name="entry_by_kind")]

    def __str__(self) -> str:
        return f"{self.kind} {self.line}/{self.depth} of {self.battle_id}"


class Snapshot(models.Model):
    """The state after `depth` entries of a line: a cache, but for the first one, from which everything is folded."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="snapshots")
    line = models.IntegerField()
    depth = models.IntegerField()
    state = models.BinaryField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "line", "depth"], name="snapshot_once")]

    def __str__(self) -> str:
        return f"snapshot {self.line}/{self.depth} of {self.battle_id}"


class Seat(models.Model):
    """A chair at the table. `last_view` is the view that its news have led to, `tag` the ETag of that view."""

    class Role(models.TextChoices):
        PLAYER = "player"
        UMPIRE = "umpire"
        OBSERVER = "observer"

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="seats")
    name = models.CharField(max_length=100)
    role = models.CharField(max_length=8, choices=Role.choices)
    commands = models.JSONField(default=list)
    code_hash = models.CharField(max_length=64, unique=True)
    admits_witnesses = models.BooleanField(default=False)
    """Whether its code lets in who has seen everything of the battle; the umpire has said so."""
    is_handed_over = models.BooleanField(default=False)
    """Whether the next device that joins takes it from those that sit there."""
    is_revoked = models.BooleanField(default=False)
    news_count = models.IntegerField(default=0)
    last_view = models.BinaryField(default=b"{}")
    tag = models.CharField(max_length=32, default="")
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "name"], name="seat_name_once")]

    def __str__(self) -> str:
        return f"{self.name} of {self.battle_id}"


class Device(models.Model):
    """A device that holds a token of a seat, or of an account."""

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    seat = models.ForeignKey(Seat, null=True, on_delete=models.CASCADE, related_name="devices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="devices")
    token_hash = models.CharField(max_length=64, unique=True)
    label = models.CharField(max_length=100, default="", blank=True)
    browser = models.CharField(max_length=64, default="")
    """The hash of what its browser is known by; "" for a client without cookies."""
    is_witness = models.BooleanField(default=False)
    """Whether it was known to have seen everything of the battle when it took its seat."""
    created = models.DateTimeField(default=timezone.now)
    last_seen = models.DateTimeField(default=timezone.now)
    is_revoked = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"device {self.id}"


class Witness(models.Model):
    """A browser that has been shown everything of a battle, on an umpire's seat or by its owner's account."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="witnesses")
    browser = models.CharField(max_length=64)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "browser"], name="witness_once")]

    def __str__(self) -> str:
        return f"witness of {self.battle_id}"


class Order(models.Model):
    """An order and what has become of it. `line` and `depth` are those of its `Begun`, once it is taken.

    `changed` numbers the last change that its seat could be told, among those of the seat's own orders, so that the
    number says nothing of others; `changed_in_battle` does so for the umpire, among all."""

    class Status(models.TextChoices):
        SEALED = "sealed"
        """Waits for the umpire's release."""
        HELD = "held"
        """Waits its turn."""
        WAITING = "waiting"
        """Taken; waits at a question or a typed roll."""
        DONE = "done"
        ENDED = "ended"
        """Overtaken by an override, or stopped by the umpire."""
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"
        TAKEN_BACK = "taken_back"

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="orders")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="orders")
    giver = models.CharField(max_length=100)
    commands = models.JSONField(default=list)
    order = models.JSONField()
    status = models.CharField(max_length=10, choices=Status.choices)
    refusals = models.JSONField(default=list)
    line = models.IntegerField(null=True)
    depth = models.IntegerField(null=True)
    sequence = models.IntegerField()
    changed = models.IntegerField(default=0)
    changed_in_battle = models.IntegerField(default=0)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "sequence"], name="order_sequence_once")]
        indexes = [
            models.Index(fields=["battle", "status"], name="order_by_status"),
            models.Index(fields=["seat", "changed"], name="order_by_change"),
            models.Index(fields=["battle", "changed_in_battle"], name="order_by_change_in_battle"),
        ]

    def __str__(self) -> str:
        return f"order {self.id}"

    @property
    def told(self) -> str:
        """What its giver is told of it."""
        return told_of(self.status)


def told_of(status: str) -> str:
    """What the giver of an order is told of its status: it is "given" until it is over, whatever it waits for."""
    pending = (Order.Status.SEALED, Order.Status.HELD, Order.Status.WAITING)
    return "given" if status in pending else str(status)


class Question(models.Model):
    """A question or a typed roll that the battle waits, or waited, for. `command` is "" where the umpire is asked.

    `depth` is that of the `Asked` entry (for a roll, the depth where `Thrown` will stand) on line `line`.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        ANSWERED = "answered"
        VOID = "void"

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="questions")
    line = models.IntegerField()
    depth = models.IntegerField()
    command = models.CharField(max_length=100, default="", blank=True)
    is_offer = models.BooleanField(default=False)
    is_roll = models.BooleanField(default=False)
    body = models.BinaryField()
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    created = models.DateTimeField(default=timezone.now)
    answered = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["battle", "line", "depth", "command"], name="question_once"),
        ]

    def __str__(self) -> str:
        return f"question {self.id}"


class News(models.Model):
    """One piece of news of one seat, numbered for it alone. `body` is a `umpire.kernel.news.News`."""

    class Kind(models.TextChoices):
        NEWS = "news"
        REWIND = "rewind"
        MESSAGE = "message"

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="news")
    number = models.IntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.NEWS)
    body = models.BinaryField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "number"], name="news_once")]

    def __str__(self) -> str:
        return f"news {self.number} of {self.seat_id}"


class Reply(models.Model):
    """The answer to an acting request, kept with what it did: an order, or what stands at a place of the ledger.

    `actor` is "seat:ID" or "user:ID"."""

    actor = models.CharField(max_length=60)
    key = models.CharField(max_length=255)
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=300)
    body_hash = models.CharField(max_length=64)
    status = models.IntegerField()
    headers = models.JSONField(default=dict)
    body = models.BinaryField()
    battle = models.ForeignKey(Battle, null=True, on_delete=models.CASCADE, related_name="+")
    order = models.ForeignKey(Order, null=True, on_delete=models.CASCADE, related_name="+")
    line = models.IntegerField(null=True)
    depth = models.IntegerField(null=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["actor", "key"], name="reply_once")]

    def __str__(self) -> str:
        return f"reply to {self.actor}"


class Outbox(models.Model):
    """Work for the worker, struck out (`done`) by the transaction that does it, not by sending it.

    `line` and `depth` name the place in the ledger that caused it: if that is no longer on the battle's line, it is
    void.
    """

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="outbox")
    task = models.CharField(max_length=40)
    line = models.IntegerField()
    depth = models.IntegerField()
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.IntegerField(default=0)
    done = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=200, default="", blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "task", "line", "depth"], name="outbox_once")]
        indexes = [models.Index(fields=["done", "due_at"], name="outbox_to_do")]

    def __str__(self) -> str:
        return f"{self.task} of {self.battle_id} at {self.line}/{self.depth}"


class Message(models.Model):
    """A message between commands and umpire. `to` is a command or "umpire"; `delivered_text` is what arrives."""

    class Status(models.TextChoices):
        SENT = "sent"
        DELIVERED = "delivered"
        LOST = "lost"

    id = models.CharField(primary_key=True, max_length=16, default=public_id)
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="messages")
    sender = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="sent")
    to = models.CharField(max_length=100)
    text = models.TextField()
    sent_turn = models.IntegerField(default=0)
    due_turn = models.IntegerField(null=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.SENT)
    delivered_text = models.TextField(default="", blank=True)
    created = models.DateTimeField(default=timezone.now)
    delivered = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"message {self.id}"
