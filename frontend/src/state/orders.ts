// Orders are built from forms alone: `{verb, ...fixed, slot: value}`. What may be ordered is the server's business.

import type { ChoiceSlot, Form, OrderBody, PathSlot, Place, Slot, SlotValue, Values } from "../api/types";
import { entriesOf, isListFilled, sentList } from "./lists";

export function orderOf(form: Form, values: Record<string, unknown>): OrderBody {
  const order: OrderBody = { verb: form.verb, ...(form.fixed ?? {}) };
  for (const [name, value] of Object.entries(values)) {
    const [outer, inner] = name.split(".") as [string, string?];
    order[outer] = inner === undefined ? value : { ...(order[outer] as object | undefined), [inner]: value };
  }
  return order;
}

/** All slots of a form, also those that may be left as they are. */
export function slotsOf(form: Form): Slot[] {
  return [...(form.more ?? []), ...(form.slots ?? [])];
}

/** Values that need no asking: the only choice there is, the only number there is; and where somebody does something
 * with or to something else, all who may take part (who moves along a path, who fires at a target). */
export function startValues(form: Form): Values {
  const values: Values = {};
  for (const slot of slotsOf(form)) {
    if (slot.slot === "choice" && slot.choices.length === 1 && (slot.least ?? 1) >= 1) {
      const only = slot.choices[0]!.id;
      values[slot.name] = slot.many ? [only] : only;
    } else if (slot.slot === "choice" && slot.many && (slot.starts_full || isForAll(form, slot))) {
      values[slot.name] = slot.choices.map((choice) => choice.id);
    } else if (slot.slot === "choice" && slot.usual) {
      values[slot.name] = slot.many ? [slot.usual] : slot.usual;
    } else if (slot.slot === "choice" && !slot.many && slot.choices.some((choice) => choice.id === "")) {
      values[slot.name] = "";
    } else if (slot.slot === "number" && (slot.low === slot.high || typeof slot.usual === "number")) {
      values[slot.name] = slot.usual ?? slot.low;
    } else if (slot.slot === "flag") values[slot.name] = slot.usual ?? false;
    else if (slot.slot === "text" && slot.least === 0) values[slot.name] = "";
  }
  return values;
}

function isForAll(form: Form, slot: ChoiceSlot): boolean {
  const count = slot.choices.length;
  if (count === (slot.least ?? 1)) return true;
  const isWithMore = slotsOf(form).length > 1 || (form.subject?.length ?? 0) > 1;
  return isWithMore && slotsOf(form)[0] === slot && count > 0 && count <= (slot.most ?? 1);
}

/** Where a path begins: with the first of those chosen to go it, where the form says where each stands. */
export function startOf(form: Form, slot: PathSlot, values: Values): Place {
  return goers(form, slot, values)[0] ?? slot.start;
}

/** Where those stand who go a path, in the order in which they are named. */
export function goers(form: Form, slot: PathSlot, values: Values): Place[] {
  for (const each of slotsOf(form)) {
    if (each.slot !== "choice" || !each.many) continue;
    if (!each.choices.some((choice) => choice.at?.[0] === slot.start[0] && choice.at[1] === slot.start[1])) continue;
    const chosen = values[each.name];
    if (!Array.isArray(chosen)) continue;
    return (chosen as string[]).map((id) => each.choices.find((choice) => choice.id === id)?.at).filter((at): at is Place => at?.length === 2);
  }
  return [];
}

/** Keeps of an older draft what the form, fetched anew, still offers. */
export function keptValues(form: Form, old: Values): Values {
  const values = startValues(form);
  for (const slot of slotsOf(form)) {
    const value = old[slot.name];
    if (value === undefined) continue;
    if (slot.slot === "choice") {
      const known = new Set(slot.choices.map((choice) => choice.id));
      if (Array.isArray(value)) {
        const kept = (value as string[]).filter((id) => known.has(id));
        if (kept.length) values[slot.name] = kept;
      } else if (known.has(value as string)) values[slot.name] = value;
    } else values[slot.name] = value;
  }
  return values;
}

export function isFilled(slot: Slot, value: SlotValue | undefined): boolean {
  switch (slot.slot) {
    case "choice": {
      if (!slot.many) return typeof value === "string" && slot.choices.some((choice) => choice.id === value);
      const count = Array.isArray(value) ? value.length : 0;
      return count >= (slot.least ?? 1) && count <= (slot.most ?? 1);
    }
    case "number":
      return typeof value === "number" && Number.isInteger(value) && value >= slot.low && value <= slot.high;
    case "point":
      return Array.isArray(value) && value.length >= 2;
    case "path":
      return Array.isArray(value) && value.length >= 1;
    case "text":
      return typeof value === "string" && value.trim().length >= (slot.least ?? 1) && value.length <= (slot.most ?? 500);
    case "flag":
      return typeof value === "boolean";
    case "list":
      return isListFilled(slot, entriesOf(value));
  }
}

export function missing(form: Form, values: Values): Slot[] {
  return slotsOf(form).filter((slot) => !isFilled(slot, withDefault(slot, values[slot.name])));
}

function withDefault(slot: Slot, value: SlotValue | undefined): SlotValue | undefined {
  return value === undefined && slot.slot === "choice" && slot.many && (slot.least ?? 1) === 0 ? [] : value;
}

/** The values to send: an empty list where none need be chosen and none was. */
export function sentValues(form: Form, values: Values): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const slot of slotsOf(form)) {
    const value = withDefault(slot, values[slot.name]);
    if (slot.slot === "list") sent[slot.name] = sentList(slot, entriesOf(value));
    else if (slot.slot === "choice" && Array.isArray(value)) sent[slot.name] = slot.of_places ? (value as string[]).map((id) => slot.choices.find((choice) => choice.id === id)?.at) : value;
    else if (value !== undefined) sent[slot.name] = value;
  }
  return sent;
}

/** One tap on a choice: takes it, or lets it go; the oldest makes room where no more fit. */
export function tapped(slot: ChoiceSlot, value: SlotValue | undefined, id: string): SlotValue {
  if (!slot.many) return id;
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  if (chosen.includes(id)) return slot.must?.includes(id) ? chosen : chosen.filter((other) => other !== id);
  const most = slot.most ?? 1;
  const next = [...chosen, id].slice(-most);
  // In the order of the form, whichever was tapped first.
  return slot.choices.map((choice) => choice.id).filter((each) => next.includes(each));
}

/** Which choices a piece on the map stands for. */
export function choiceOfPiece(slot: ChoiceSlot, piece: string): string | undefined {
  const exact = slot.choices.find((choice) => choice.id === piece);
  if (exact) return exact.id;
  // Of several choices that name the piece, the one that names the fewest others.
  return slot.choices
    .filter((choice) => choice.pieces?.includes(piece))
    .sort((a, b) => (a.pieces?.length ?? 0) - (b.pieces?.length ?? 0))[0]?.id;
}

/** A number for each piece that one choice stands for, where names alone would not tell them apart. */
export function numbered(choices: readonly { label?: string; pieces?: string[] }[]): Map<string, number> {
  const numbers = new Map<string, number>();
  if (choices.length < 2) return numbers;
  choices.forEach((choice, i) => {
    if (choice.pieces?.length === 1) numbers.set(choice.pieces[0]!, i + 1);
  });
  return numbers;
}

/** Whether two forms are the same thing to order, though their choices may have changed. */
export function isSameForm(a: Form, b: Form): boolean {
  return (
    a.verb === b.verb &&
    JSON.stringify(a.fixed ?? {}) === JSON.stringify(b.fixed ?? {}) &&
    JSON.stringify(a.subject ?? []) === JSON.stringify(b.subject ?? [])
  );
}

/** Can a step be made on a hex game's path? */
export function stepsFrom(slot: PathSlot, path: readonly (readonly number[])[]): number[][] {
  const at = path.at(-1) ?? slot.start;
  return (slot.steps?.[at.join(",")] ?? []) as number[][];
}
