// List slots: forms within a form. A draft keeps entries with their values; the server gets objects.

import type { Entry, ListSlot, Part, Place, Slot, SlotValue, Values } from "../api/types";
import { isFilled, sentValues, startValues } from "./orders";

const formOf = (part: Part): { verb: string; label: string; slots: Slot[] } => ({ verb: "", label: part.label, slots: part.slots ?? [] });

export function startEntry(slot: ListSlot, part: number): Entry {
  return { part, values: startValues(formOf(slot.parts[part]!)) };
}

export const entriesOf = (value: SlotValue | undefined): Entry[] => (Array.isArray(value) ? (value as Entry[]) : []);

/** The slots of an entry. Its path begins where whoever was chosen for it stands; with `goes_on` where that of those
 * before ends. */
export function slotsIn(slot: ListSlot, entries: readonly Entry[], at: number): Slot[] {
  const slots = slot.parts[entries[at]?.part ?? 0]?.slots ?? [];
  const end = slot.goes_on ? pathsOf(slot, entries.slice(0, at)).at(-1)?.at(-1) : chosenPlace(slots, entries[at]);
  return end ? slots.map((inner) => (inner.slot === "path" ? { ...inner, start: end } : inner)) : slots;
}

function chosenPlace(slots: readonly Slot[], entry: Entry | undefined): Place | undefined {
  for (const inner of slots) {
    if (inner.slot !== "choice" || inner.many) continue;
    const at = inner.choices.find((choice) => choice.id === entry?.values[inner.name])?.at;
    if (at && at.length >= 2) return at as Place;
  }
  return undefined;
}

function pathsOf(slot: ListSlot, entries: readonly Entry[]): Place[][] {
  return entries.flatMap((entry) =>
    (slot.parts[entry.part]?.slots ?? [])
      .filter((inner) => inner.slot === "path")
      .map((inner) => (entry.values[inner.name] as Place[] | undefined) ?? [])
      .filter((path) => path.length),
  );
}

/** The whole way of a list whose paths go on from each other. */
export function wayOf(slot: ListSlot, entries: readonly Entry[]): Place[] {
  const first = slot.parts.flatMap((part) => part.slots ?? []).find((inner) => inner.slot === "path");
  if (first?.slot !== "path" || !slot.goes_on) return [];
  return [first.start, ...pathsOf(slot, entries).flat()];
}

export function isEntryFilled(slot: ListSlot, entry: Entry): boolean {
  return (slot.parts[entry.part]?.slots ?? []).every((inner) => isFilled(inner, entry.values[inner.name]));
}

export function isListFilled(slot: ListSlot, entries: readonly Entry[]): boolean {
  const count = entries.length >= (slot.least ?? 0) && entries.length <= (slot.most ?? 1);
  const keys = slot.by ? entries.map((entry) => entry.values[slot.by!]) : [];
  return count && new Set(keys).size === keys.length && entries.every((entry) => isEntryFilled(slot, entry));
}

/** What the server gets. */
export function sentList(slot: ListSlot, entries: readonly Entry[]): unknown {
  const sent = entries.map((entry) => {
    const part = slot.parts[entry.part]!;
    return { ...(part.fixed ?? {}), ...sentValues(formOf(part), entry.values) };
  });
  if (!slot.by) return sent;
  return Object.fromEntries(sent.map((entry) => [String(entry[slot.by!]), Object.entries(entry).find(([name]) => name !== slot.by)?.[1]]));
}

/** Entries of what stands in a view, for example the plan that is to be changed; what is of no part is left out. */
export function entriesFrom(slot: ListSlot, found: unknown): Entry[] {
  if (slot.by) {
    if (!found || typeof found !== "object") return [];
    const names = (slot.parts[0]?.slots ?? []).map((inner) => inner.name);
    const other = names.find((name) => name !== slot.by);
    return Object.entries(found).map(([key, held]) => ({ part: 0, values: { [slot.by!]: key, ...(other ? { [other]: held as SlotValue } : {}) } }));
  }
  if (!Array.isArray(found)) return [];
  return found.flatMap((each): Entry[] => {
    const given = (each ?? {}) as Record<string, unknown>;
    // The part that has most in common with it.
    const part = slot.parts
      .map((candidate, i) => ({ i, candidate }))
      .filter(({ candidate }) => Object.entries(candidate.fixed ?? {}).every(([key, value]) => JSON.stringify(given[key]) === JSON.stringify(value)))
      .sort((a, b) => Object.keys(b.candidate.fixed ?? {}).length - Object.keys(a.candidate.fixed ?? {}).length)[0];
    if (!part) return [];
    const values = startEntry(slot, part.i).values;
    for (const inner of part.candidate.slots ?? []) {
      const value = given[inner.name];
      if (value !== undefined && value !== null) values[inner.name] = value as SlotValue;
    }
    return [{ part: part.i, values }];
  });
}

/** Values that a form can take over from what stands in a view under the same names. */
export function takenOver(slots: readonly Slot[], found: Record<string, unknown>): Values {
  const values: Values = {};
  for (const slot of slots) {
    const value = found[slot.name];
    if (value === undefined || value === null) continue;
    if (slot.slot === "list") values[slot.name] = entriesFrom(slot, value);
    else if (isFilled(slot, value as SlotValue) && (slot.slot !== "choice" || slot.many || slot.choices.some((choice) => choice.id === value))) values[slot.name] = value as SlotValue;
  }
  return values;
}
