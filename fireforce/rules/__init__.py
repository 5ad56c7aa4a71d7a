"""The chapters of the rules, one module for each heading of the rulebook.

Every module in this package is imported when the rules package is; a chapter plugs itself in, nobody lists it.

**Orders.** A chapter ends with a line for each verb that it carries out:

    handles(EndPhase, check=check_end_phase, resolve=end_phase, options=end_phase_forms, phases=PLAYED, rule="...")

`check(believed, seat, order)` yields `Refusal`s for what the giver can know; `resolve(state, seat, order)` is the
ruling and never refuses; `options(believed, seat, subject)` yields `Form`s (subject None: what needs no piece);
`preview` and `sample` are optional. With `phases` the verb is for the active side in these phases: phase, side and a
command that is done with the phase are checked before `check` is asked. Without, it may be given at any time.
`fireforce.orders.checks` has the refusals that chapters share, `fireforce.happening.rulings` the words of a ruling.

**Moments.** `@at("visibility", "begins")` (or "ends") registers a ruling `(state) -> Ruling[State]` that is run when a
phase begins or ends, by `order`, then name. `@ends_battle` registers `(state) -> str` (why the battle is over now, or
""), `@scores` `(state) -> Iterable[Score]` for points that are counted at the end only.

**Plans.** `@carries("motivation_movement")` registers `(state, force) -> Ruling[State]`: one quantum of the plan of a
squad or card in that phase. What is due, and the note that it was carried, is the turn sequence's.

**Events** stand in `fireforce.happening`, a module a subject, with their new values; `@happens(Event, public=...)`
there registers what one makes of the state, who may read it as it stands, who perceives it and who is told. Chapters
write no sighting: they tell world events (`Placed`, `CardTurned`, `NoiseMade`, ...), and `fireforce.knowledge.notice`
brings contacts in line with what is on the table after every event. `@notices(Event)` adds knowledge events (`(before,
event, after) -> Iterable[KnowledgeEvent]`) for what leaves no trace on the table: noises, fire from the unseen.

**Words** stand in `fireforce.words.sentences`, by the same subjects: `@says(Event)` gives the log line, `(state, event)
-> LogLine | None`, from a truth or a belief, `@noted(Event)` the umpire's where seats have none. An event that names no
hidden piece is published. One that names pieces of a hidden command is told to that command and, if `perceived`, to
every command that has an alias for each hidden piece in it: with aliases in the place of ids. `@tells(kind)` gives the
line of a `Report` that a chapter's notice writes.

**Rolls.** Every `Roll` names `by`, the command that throws; its modifiers are shown to that command, so it may list
only what that command could have listed: facts of hidden pieces go into the bands, not the list.

**Names.** In an order own pieces stand by id and others by alias: `true_id(state, seat.commands, name)` on the truth
gives the id or None (it is gone: an outcome, not an error), on a belief the name. `visible_enemies(state, command)`,
never geometry, says whom troops perceive. In a belief there is no card behind the alias of a card: a ruling asks
`contact(...)` there and tells events with `card=""`.

**Corrections.** `@hand.does(Correction, label)`: `(state, correction) -> Sequence[Event]`, raising `Refused`.
**Questions.** `@replies("kind")`: `(believed, question) -> choices or None` from standing orders.
"""
