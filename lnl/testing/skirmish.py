"""The scenario on which Lock 'n Load is tried by the conformance suite: two small forces about a mill."""

from __future__ import annotations

SKIRMISH = '''
[scenario]
key = "skirmish"
title = "Skirmish at the Mill"
turns = 3
initiative = "us"
map = """
grid = \'\'\'
. . . w . . . .
. b . w . S . .
. . . . . S S .
. w F . . . . .
. . F . b . g .
. . . . . . . .
\'\'\'
[legend]
"." = "clear"
b = "brush"
F = "forest"
g = "wheat_field"
S = "stone_building"
w = "light_woods"
[[building]]
key = "mill"
name = "Mill"
hexes = "F2 F3 G3"
"""

[[side]]
key = "us"
name = "United States"
nation = "us"

[[side]]
key = "ge"
name = "Germany"
nation = "ge"

[[command]]
key = "alpha"
side = "us"
name = "Alpha"

[[command]]
key = "berta"
side = "ge"
name = "Berta"

[[force]]
key = "first"
command = "alpha"
counter = "us_airborne"
count = 2
at = "B5"

[[force]]
key = "hale"
command = "alpha"
counter = "us_hale"
name = "Hale of the first"
at = "B5"

[[force]]
key = "scout"
command = "alpha"
counter = "us_scout"
at = "A3"

[[force]]
key = "second"
command = "alpha"
counter = "us_second_line"
weapons = ["bar"]
at = "D6"

[[force]]
key = "grenadiers"
command = "berta"
counter = "ge_grenadier"
count = 2
weapons = ["mg42"]
at = "F3"

[[force]]
key = "koch"
command = "berta"
counter = "ge_koch"
name = "Koch of the grenadiers"
at = "F3"

[[force]]
key = "upstairs"
command = "berta"
counter = "ge_grenadier"
at = "F2 upstairs"
hidden = true

[[force]]
key = "ambush"
command = "berta"
counter = "ge_second_line"
name = "the ambush"
at = "C4"
hidden = true

[[force]]
key = "patrol"
command = "berta"
counter = "ge_second_line"
name = "the patrol"
at = "H6"
hidden = true

[[work]]
key = "foxholes"
command = "berta"
kind = "foxhole"
at = "E5"

[[work]]
key = "mines"
command = "berta"
kind = "mines"
at = "D4"
hidden = true

[[zone]]
key = "mill"
name = "The mill"
hexes = "F2 F3 G3"

[[objective]]
key = "mill"
side = "us"
deed = "control"
points = 2
name = "The mill"
zone = "mill"

[[objective]]
key = "losses"
side = "ge"
deed = "loss_mmc"
points = 1
name = "American losses"

[[marker]]
key = "well"
kind = "occupied"
at = "D5"

[[happening]]
key = "well"
marker = "well"
actions = [{ kind = "text", text = "The well is poisoned." }]

[[plan]]
force = "patrol"
legs = [{ path = "G6 F6 E6" }]
note = "Comes round the fields."

[umpire]
title = "The mill and its cellar"
notes = ["The ambush lies in the woods."]
'''
