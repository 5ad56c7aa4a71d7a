// Where pennants and badges hang. Those of several squads at one place stack, so that none hides another; they turn and
// rise rather than hide figures. What is drawn and what a finger hits are worked out here alike.

import type { Piece, Place, View } from "../api/types";
import { centreOf } from "../geometry/plane";
import { initials } from "./symbols";

/** Pixels above the anchor between which a pennant's cloth hangs, and the room that is left between two. */
export const CLOTH = { low: 26, high: 44 };
const APART = 3;

export interface Sign {
  id: string;
  at: Place;
  /** Pixels from the anchor: to the left edge, the right edge, up to the lower and to the upper edge. */
  left: number;
  right: number;
  low: number;
  high: number;
}

/** Pixels, from the lower left corner of the table. */
export interface Box {
  left: number;
  right: number;
  low: number;
  high: number;
}

/** How a sign hangs: by how many pixels it is lifted, and whether it flies to the left. */
export interface Hung {
  lift: number;
  isLeft: boolean;
}

const STRAIGHT: Hung = { lift: 0, isLeft: false };
/** By how much more a sign may be lifted to uncover somebody; and what a body covered counts, in pixels of lifting. */
const HIGHER = [0, 12, 24, 36, 48];
const COVERED = 30;

export const overlap = (a: Box, b: Box, apart = 0): boolean => a.left < b.right && b.left < a.right && a.low < b.high + apart && b.low < a.high + apart;

/** How each sign hangs free of those lower on the table and of all that hang already, and covers as few bodies as can be.
 * `px` is table units to a pixel. */
export function hung(signs: readonly Sign[], px: number, { already = [], bodies = [], canTurn = false }: { already?: readonly Box[]; bodies?: readonly Box[]; canTurn?: boolean } = {}): Map<string, Hung> {
  const taken: Box[] = [...already];
  const found = new Map<string, Hung>();
  const inOrder = [...signs].sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0] || a.id.localeCompare(b.id));
  for (const sign of inOrder) {
    let best = STRAIGHT;
    let least = Infinity;
    for (const isLeft of canTurn ? [false, true] : [false]) {
      const base = free(sign, px, taken, isLeft);
      for (const more of bodies.length ? HIGHER : [0]) {
        const way = { lift: base + more, isLeft };
        const box = boxOf(sign, px, way);
        if (more && taken.some((other) => overlap(box, other, APART))) continue;
        if (isLeft && box.left < 0) continue; // it would fly off the table, where the window may end
        const cost = COVERED * bodies.filter((body) => overlap(box, body)).length + way.lift + (isLeft ? 8 : 0);
        if (cost < least) [best, least] = [way, cost];
      }
    }
    taken.push(boxOf(sign, px, best));
    found.set(sign.id, best);
  }
  return found;
}

/** The least lift at which a sign is free of all that hangs. */
function free(sign: Sign, px: number, taken: readonly Box[], isLeft: boolean): number {
  let lift = 0;
  for (;;) {
    const over = taken.find((other) => overlap(boxOf(sign, px, { lift, isLeft }), other, APART));
    if (!over) return lift;
    // A little more, so that rounding leaves no overlap to go round for ever.
    lift = over.high + APART + 0.01 - boxOf(sign, px).low;
  }
}

/** The room of a sign. */
export function boxOf(sign: Sign, px: number, { lift, isLeft }: Hung = STRAIGHT): Box {
  const [x, up] = [sign.at[0] / px, sign.at[1] / px + lift];
  return { left: x + (isLeft ? -sign.right : sign.left), right: x + (isLeft ? -sign.left : sign.right), low: up + sign.low, high: up + sign.high };
}

/** The room of a round body. */
export function bodyOf(at: Place, radius: number, px: number): Box {
  const [x, y] = [at[0] / px, at[1] / px];
  return { left: x - radius, right: x + radius, low: y - radius, high: y + radius };
}

export interface Pennant extends Sign {
  name: string;
  text: string;
  side: string;
  /** Who sees somebody of a hidden squad, by commands; undefined where nothing is hidden. */
  seenBy: string[] | undefined;
  seen: string;
}

export const widthOf = (text: string): number => text.length * 9 + 24;
/** The part of a pennant that says who sees its squad: an eye, and few letters. */
export const eyeWidthOf = (seen: string): number => 24 + seen.length * 8;

const isDown = (piece: Piece): boolean => piece.marks?.some((mark) => mark.key === "casualty") ?? false;

/** A pennant for each squad that stands on the table; one whose teams stand by themselves has none of its own. */
export function pennantsOf(view: View, commandNames: Record<string, string> = {}, showSeen = false): Pennant[] {
  const all = Object.entries(view.groups ?? {});
  const found: Pennant[] = [];
  for (const [id, group] of all) {
    const within = all.filter(([other, each]) => other !== id && each.pieces.length < group.pieces.length && each.pieces.every((piece) => group.pieces.includes(piece)));
    if (group.pieces.length && group.pieces.every((piece) => within.some(([, each]) => each.pieces.includes(piece)))) continue;
    const pieces = group.pieces.map((piece) => view.pieces?.[piece]).filter((piece): piece is Piece => !!piece?.at && !isDown(piece));
    if (!pieces.length) continue;
    const places = pieces.map((piece) => piece.at!);
    const text = initials(group.name);
    const hidden = showSeen ? pieces.filter((piece) => piece.hidden && piece.seen_by) : [];
    const seenBy = hidden.length ? [...new Set(hidden.flatMap((piece) => piece.seen_by ?? []))].sort() : undefined;
    const seen = (seenBy ?? []).map((name) => initials(commandNames[name] ?? name)).join(" ");
    found.push({
      id,
      name: group.name,
      text,
      side: pieces[0]!.side,
      at: [centreOf(places)[0], Math.max(...places.map((place) => place[1]))],
      left: -2,
      right: widthOf(text) + (seenBy ? eyeWidthOf(seen) : 0),
      low: CLOTH.low,
      high: CLOTH.high,
      seenBy,
      seen,
    });
  }
  return found;
}

/** The squad whose pennant is hit at a place of the table, with a little room around. */
export function pennantAt(pennants: readonly Pennant[], hangs: ReadonlyMap<string, Hung>, place: Place, px: number): string | null {
  const [x, y] = [place[0] / px, place[1] / px];
  return pennants.find((pennant) => {
    const box = boxOf(pennant, px, hangs.get(pennant.id));
    return x > box.left - 6 && x < box.right + 6 && y > box.low - 2 && y < box.high + 2;
  })?.id ?? null;
}
