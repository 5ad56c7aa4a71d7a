// Whether an order that met newer news may be given again by itself: it needs no look, it is offered as before, and
// nothing has changed of what its giver decided on.

import type { Form, View } from "../api/types";

/** Orders that only say that one is done: no choice, no dice, nothing to weigh. */
export const needsNoLook = (form: Form): boolean => !form.slots?.length && !form.odds && form.role === "ends";

/** The same thing to order, in the same words. */
export function isOfferedStill(form: Form, forms: readonly Form[]): boolean {
  return forms.some((other) => other.verb === form.verb && other.label === form.label && !other.slots?.length && isSame(other.fixed ?? {}, form.fixed ?? {}));
}

/** The same turn and phase, one's own troops as they were, and nobody in sight who was not. What is told beside that (a
 * report, a message of the log, points, somebody lost from sight) does not touch an order that only ends something. */
export function isUnchangedFor(before: View, now: View): boolean {
  return isSame(decidedOn(before), decidedOn(now)) && [...inSight(now)].every((id) => inSight(before).has(id));
}

function decidedOn(view: View): unknown {
  const own = Object.entries(view.pieces ?? {}).filter(([, piece]) => piece.own);
  const mine = Object.entries(view.groups ?? {}).filter(([, group]) => !group.command || view.commands?.[group.command]?.own);
  return [view.turn, view.phase, view["impulse"], view.outcome, own, mine];
}

function inSight(view: View): Set<string> {
  const others = Object.entries(view.pieces ?? {}).filter(([, piece]) => !piece.own).map(([id]) => id);
  const contacts = Object.entries(view.contacts ?? {}).filter(([, contact]) => contact.status === "in_sight").map(([id]) => id);
  return new Set([...others, ...contacts]);
}

/** Alike, whatever the order of the keys. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]));
}
