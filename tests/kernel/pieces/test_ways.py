"""What the ways of holding say of who is held, also by who is held himself."""

from __future__ import annotations

import pytest

from tests.kernel.pieces.table import Cart, Gun, Row, table
from umpire.kernel.pieces.finding import find
from umpire.kernel.pieces.ways import WayOfHolding, acts, hit, sees, shows, stacks

WAYS = {
    "inside": WayOfHolding(name="Inside", shown="how_many"),
    "on_top": WayOfHolding(name="On top", sees=True, acts=True, stacks=True, hit="itself", fires="own"),
    "shipped": WayOfHolding(name="Shipped", sees=True, shown="that", hit="never"),
    "hands": WayOfHolding(name="In the hands", sees=True, acts=True),
}
STATE = table(
    public=(
        Row("ship", Cart),
        Row("tank", Cart, by="ship", how="shipped"),
        Row("rider", by="tank", how="on_top", n=1),
        Row("loader", by="tank", how="inside", n=2),
        Row("gun", Gun, by="loader", how="hands"),
        Row("cart", Cart),
        Row("boy", by="cart", how="on_top"),
        Row("odd", by="cart", how="nowhere", n=2),
    )
)


def test_who_is_held_by_nobody_does_all_himself() -> None:
    ship = find(STATE, "ship")
    assert sees(WAYS, STATE, ship)
    assert acts(WAYS, STATE, ship)
    assert stacks(WAYS, STATE, ship)
    assert (shows(WAYS, STATE, ship), hit(WAYS, STATE, ship)) == ("looks", "itself")


def test_a_rider_does_what_his_row_says() -> None:
    boy = find(STATE, "boy")
    assert sees(WAYS, STATE, boy)
    assert acts(WAYS, STATE, boy)
    assert stacks(WAYS, STATE, boy)
    assert (shows(WAYS, STATE, boy), hit(WAYS, STATE, boy)) == ("looks", "itself")


def test_a_rider_of_what_is_itself_held_does_no_more_than_its_row_lets_him() -> None:
    rider, gun = find(STATE, "rider"), find(STATE, "gun")
    assert sees(WAYS, STATE, rider)
    assert not acts(WAYS, STATE, rider)
    assert not stacks(WAYS, STATE, rider)
    assert (shows(WAYS, STATE, rider), hit(WAYS, STATE, rider)) == ("that", "never")
    assert not sees(WAYS, STATE, gun)
    assert shows(WAYS, STATE, gun) == "that"


def test_a_way_that_is_no_row_is_an_error() -> None:
    with pytest.raises(KeyError):
        sees(WAYS, STATE, find(STATE, "odd"))
