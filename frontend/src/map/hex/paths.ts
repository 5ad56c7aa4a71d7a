// Ways through the steps that a path slot allows: what can be reached, and the cheapest way there.

import type { PathSlot } from "../../api/types";
import { type Cell, isSameHex, isSamePlace, levelOf, placeKey } from "./lattice";

export interface Reach {
  at: Cell;
  /** Points that it takes, or steps where the server counts none. */
  cost: number;
  steps: number;
  from: string;
}

const keysOf = (at: Cell): string[] => [at.join(","), placeKey(at), `${at[0]},${at[1]}`];

function nextOf(slot: PathSlot, at: Cell): Cell[] {
  for (const key of keysOf(at)) {
    const next = slot.steps?.[key];
    if (next) return next as unknown as Cell[];
  }
  return [];
}

/** What the server says of a place that can be reached: behind it what it costs to be there by the cheapest way, and behind
 * that the place one comes from, where it says so. */
function toldOf(slot: PathSlot): Map<string, { cost: number; from: Cell | undefined }> {
  const told = new Map<string, { cost: number; from: Cell | undefined }>();
  for (const [at] of (slot.region ?? []) as unknown as Cell[][]) {
    if (at && at.length > 3) told.set(placeKey(at), { cost: at[3]!, from: at.length > 6 ? at.slice(4, 7) : undefined });
  }
  return told;
}

/** Every place that can be reached from the start, with the cheapest way there as far as it is known. */
export function reachOf(slot: PathSlot): Map<string, Reach> {
  const told = toldOf(slot);
  const found = new Map<string, Reach>();
  const start = placeKey(slot.start);
  const waiting: Reach[] = [{ at: slot.start, cost: 0, steps: 0, from: "" }];
  while (waiting.length) {
    // The cheapest first, so that everything is come to from where it costs least to be.
    let next = 0;
    for (let i = 1; i < waiting.length; i += 1) if (waiting[i]!.cost < waiting[next]!.cost) next = i;
    const [{ at, steps }] = waiting.splice(next, 1) as [Reach];
    if (slot.most && steps >= slot.most) continue;
    for (const to of nextOf(slot, at)) {
      const key = placeKey(to);
      if (key === start || found.has(key)) continue;
      const says = told.get(key);
      if (says?.from && !isSamePlace(says.from, at)) continue;
      const reach = { at: to, cost: says?.cost ?? steps + 1, steps: steps + 1, from: placeKey(at) };
      found.set(key, reach);
      waiting.push(reach);
    }
  }
  return found;
}

/** The way to a place: a step on from the end of a path, or the cheapest way from the start; null where there is none. A tap
 * on the path itself takes back what lies behind. */
export function wayTo(slot: PathSlot, path: readonly Cell[], to: Cell): Cell[] | null {
  const on = path.findIndex((at) => isSamePlace(at, to));
  if (on >= 0) return path.slice(0, on + 1);
  if (isSamePlace(slot.start, to)) return [];
  const step = path.length && (!slot.most || path.length < slot.most) ? nextOf(slot, path.at(-1)!).find((at) => isSamePlace(at, to)) : undefined;
  if (step) return [...path, step];
  const reach = reachOf(slot);
  const way: Cell[] = [];
  for (let each = reach.get(placeKey(to)); each; each = reach.get(each.from)) way.unshift(each.at);
  return way.length ? way : null;
}

/** The place of a hex that a tap means: the one of the path's own level where there is one. */
export function placeMeant(reach: Map<string, Reach>, hex: Cell, level: number): Cell {
  const here = [...reach.values()].filter((each) => isSameHex(each.at, hex));
  return (here.find((each) => levelOf(each.at) === level) ?? here[0])?.at ?? [hex[0]!, hex[1]!, level];
}
