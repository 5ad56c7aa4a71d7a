"""The chapters of the rules, one module for each chapter of the rulebook.

Every module in this package is imported when the rules package is; a chapter plugs itself in, nobody lists it.

**Orders.** A chapter ends with a line for each verb that it carries out:

    handles(Pass, check=check_pass, resolve=resolve_pass, options=pass_forms, phases=("operations",), rule="core 4.0")

`check(believed, seat, order)` yields `Refusal`s for what the giver can know; `resolve(state, seat, order)` is the
ruling and never refuses; `options(believed, seat, subject)` yields `Form`s (subject None: what needs no piece);
`preview` and `sample` are optional. With `phases` the verb is for the active side in these phases: phase, side and a
command that is done with the phase are checked before `check` is asked. Without, it may be given at any time.
`lnl.orders.checks` has the refusals that chapters share, `lnl.happening.rulings` the words of a ruling.

**Moments.** `@at("rally", "begins")` (or "ends") registers a ruling `(state) -> Ruling[State]` that is run when a
phase begins or ends, by `order`, then name. `@ends_battle` registers `(state) -> str`: why the battle is over now, or
"". The outline of play goes from phase to phase; what follows by itself within the Operations Phase is
`ends_of_impulses.follows`.

**Events** stand in `lnl.happening`, one module a subject, each with what it makes of the state, who may read it and its
words. Chapters write no sighting: they tell world events, and `lnl.knowledge.notice` brings contacts in line with what
is on the map after every event.

**Names.** In an order own pieces stand by id and others by alias: `true_id(state, seat.commands, name)` on the truth
gives the id or None (it is gone: an outcome, not an error), on a belief the name.
"""
