"""The inch table: what lies on it, who sees whom and why not, how far a move reaches, whom a burst catches.

Pure geometry on Shapely and NumPy; no state, no dice. Lengths and heights are integers in hundredths of an
inch, angles tenths of a degree clockwise from north, points pairs `(x, y)` of integers with x to the right
(east), **y up** (north) and the origin in the lower left corner. Results are rounded to integers before they
are compared; boundaries count as in. `ground(table)` compiles a table once; everything else asks the `Ground`.

* `terrain`: `Table`, `Terrain`, `Building`, `Road`, `Line`, `Point`
* `validate`: `validate(table)` -> list of `Fault`; `BadTable`
* `ground`: `ground(table, overlays)` -> `Ground`: `kind_at`, `cover_at`, `save_at`, `going_at`, `is_dense_at`,
  `elevation_at`, `is_on_road`, `is_on_table`, `under`
* `sight`: `line_of_sight`, `sights` (one to many), `can_see` (verdicts alone), `Eye`, `Sight`, `Hindrance`
* `region`: `visible_region`, `visible_stretches`, `outline` (a region as rings of points, for drawing)
* `ranges`: `base_to_base`, `distance`, `within`, `nearest`, `bearing`
* `blast`: `in_circle`, `in_rectangle`, `in_cone`
* `hearing`: `heard`, `nearest_on`, `octant`, `Noise`
* `going`: `spend` -> `Progress`, `legs` -> `Leg`, `point_along`
* `route`: `reachable`, `route` -> `Route`
* `formation`: `groups`, `stragglers`
* `bench`: `rows()`, the budgets of all this
"""
