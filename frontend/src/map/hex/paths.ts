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

/** What the server says it costs to be there by the cheapest way: behind the place, in what can be reached. */
function costsOf(slot: PathSlot): Map<string, number> {
  const costs = new Map<string, number>();
  for (const [at] of (slot.region ?? []) as unknown as Cell[][]) {
    if (at && at.length > 3) costs.set(placeKey(at), at[3]!);
  }
  return costs;
}

/** Every place that can be reached from the end of a path, with the steps it takes. */
export function reachOf(slot: PathSlot, path: readonly Cell[] = []): Map<string, Reach> {
  const start = path.at(-1) ?? slot.start;
  const found = new Map<string, Reach>();
  const most = (slot.most || 99) - path.length;
  const costs = costsOf(slot);
  const costOf = (at: Cell): number | undefined => costs.get(placeKey(at));
  const waiting: { at: Cell; steps: number; from: string }[] = [{ at: start, steps: 0, from: "" }];
  const seen = new Set([placeKey(start), placeKey(slot.start), ...path.map(placeKey)]);
  for (let i = 0; i < waiting.length; i += 1) {
    const { at, steps } = waiting[i]!;
    if (steps >= most) continue;
    // The cheaper ones first, so that ways follow roads.
    const next = [...nextOf(slot, at)].sort((a, b) => (costOf(a) ?? 0) - (costOf(b) ?? 0));
    for (const to of next) {
      const key = placeKey(to);
      if (seen.has(key)) continue;
      seen.add(key);
      found.set(key, { at: to, cost: costOf(to) ?? steps + 1, steps: steps + 1, from: placeKey(at) });
      waiting.push({ at: to, steps: steps + 1, from: placeKey(at) });
    }
  }
  return found;
}

/** The way to a place from the end of a path: the path with it, or null where there is none. A tap on the path itself takes
 * back what lies behind. */
export function wayTo(slot: PathSlot, path: readonly Cell[], to: Cell): Cell[] | null {
  const on = path.findIndex((at) => isSamePlace(at, to));
  if (on >= 0) return path.slice(0, on + 1);
  if (isSamePlace(slot.start, to)) return [];
  const step = nextOf(slot, path.at(-1) ?? slot.start).find((at) => isSamePlace(at, to));
  if (step) return [...path, step];
  for (const base of path.length ? [path, []] : [[]]) {
    const reach = reachOf(slot, base);
    const end = reach.get(placeKey(to));
    if (!end) continue;
    const added: Cell[] = [];
    for (let each: Reach | undefined = end; each; each = reach.get(each.from)) added.unshift(each.at);
    return [...base, ...added];
  }
  return null;
}

/** The place of a hex that a tap means: the one of the path's own level where there is one. */
export function placeMeant(reach: Map<string, Reach>, hex: Cell, level: number): Cell {
  const here = [...reach.values()].filter((each) => isSameHex(each.at, hex));
  return (here.find((each) => levelOf(each.at) === level) ?? here[0])?.at ?? [hex[0]!, hex[1]!, level];
}
