// Where the names of places are written: over their ground, beside whoever stands there, and not over each other.

import type { Place, Ring } from "../api/types";
import { boundsOf } from "../geometry/plane";
import { type Box, overlap } from "./pennants";

export interface Named {
  text: string;
  at: Place;
  ring: Ring;
}

/** Pixels of letters of the size in which names are written. */
const LETTER = 6.9;
const HIGH = 15;
/** Where a name may go from the middle of its ground: lines up or down, and parts of its own width aside. */
const SHIFTS: readonly (readonly [number, number])[] = [[0, 0], [0, -1.1], [0, 1.1], [0, -2.2], [0, 2.2], [-0.4, 0], [0.4, 0], [0, -3.3], [0, 3.3]];

const roomOf = ([x, y]: Place, text: string, px: number): Box => {
  const half = (text.length * LETTER) / 2;
  return { left: x / px - half, right: x / px + half, low: y / px - 3, high: y / px + HIGH - 3 };
};

function shared(a: Box, b: Box): number {
  return Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.high, b.high) - Math.max(a.low, b.low));
}

/** Each name where it hides least and is least hidden; those that would lie over another name, or are written already, wait
 * for a closer look. `taken` is where figures and pennants are, in pixels; `written` are names that stand there already. */
export function placedNames(named: readonly Named[], px: number, taken: readonly Box[], written: readonly { text: string; at: Place }[] = []): { text: string; at: Place }[] {
  const done = written.map(({ text, at }) => ({ text, room: roomOf(at, text, px) }));
  const found: { text: string; at: Place }[] = [];
  for (const { text, at, ring } of named) {
    const bounds = boundsOf(ring);
    if (!bounds || done.some((other) => other.text === text)) continue;
    let best: { at: Place; room: Box; cost: number } | null = null;
    SHIFTS.forEach(([aside, lines], n) => {
      const place: Place = [at[0] + aside * text.length * LETTER * px, at[1] + lines * HIGH * px];
      const isOff = place[0] < bounds.low[0] || place[0] > bounds.high[0] || place[1] < bounds.low[1] || place[1] + (HIGH - 6) * px > bounds.high[1];
      if (n && isOff) return;
      const room = roomOf(place, text, px);
      if (done.some((other) => overlap(room, other.room))) return;
      const cost = taken.reduce((sum, box) => sum + shared(room, box), 0) + n;
      if (!best || cost < best.cost) best = { at: place, room, cost };
    });
    const chosen = best as { at: Place; room: Box } | null;
    if (!chosen) continue;
    done.push({ text, room: chosen.room });
    found.push({ text, at: chosen.at });
  }
  return found;
}
