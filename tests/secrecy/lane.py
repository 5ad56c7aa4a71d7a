"""A lane of the toy game for the tests of secrecy: longer than the bundled one, so that there is room to hide."""

LANE = """
title = "The Lane"
length = 12
turns = 8
blind = true
woods = [4, 5, 9]

[commands]
red_1 = "red"
red_2 = "red"
blue_1 = "blue"
blue_2 = "blue"

[events]
3 = "A dead mule, and flies."
9 = "An old woman with a basket; she has seen nobody."

[[units]]
key = "ash"
command = "blue_1"
at = 0
name = "Ash's section"

[[units]]
key = "birch"
command = "blue_1"
at = 1
name = "Birch's section"

[[units]]
key = "cedar"
command = "blue_2"
at = 2
name = "Cedar's scouts"
steps = 1

[[units]]
key = "rowan"
command = "red_1"
at = 11
name = "Rowan's section"

[[units]]
key = "sorrel"
command = "red_1"
at = 10
name = "Sorrel's section"
steps = 1

[[units]]
key = "thorn"
command = "red_2"
at = 8
name = "Thorn's band"

[[units]]
key = "willow"
command = "red_2"
at = 5
name = "Willow's band"
reserve = true
plan = { goal = 6, on_contact = "halt" }
"""
