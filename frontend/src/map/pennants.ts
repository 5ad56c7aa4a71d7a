// Where pennants and badges hang. Those of several squads at one place stack, so that none hides another; what is drawn
// and what a finger hits are worked out here alike.

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

interface Box {
  left: number;
  right: number;
  low: number;
  high: number;
}

/** By how many pixels each sign is lifted to hang free of those lower on the table, and of all that hang already. `px` is
 * table units to a pixel. */
export function lifted(signs: readonly Sign[], px: number, already: readonly Sign[] = [], kept: ReadonlyMap<string, number> = new Map()): Map<string, number> {
  const hung: Box[] = already.map((sign) => boxOf(sign, px, kept.get(sign.id)));
  const lifts = new Map<string, number>();
  const inOrder = [...signs].sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0] || a.id.localeCompare(b.id));
  for (const sign of inOrder) {
    const box = boxOf(sign, px);
    let lift = 0;
    for (;;) {
      const over = hung.find((other) => box.left < other.right && other.left < box.right && box.low + lift < other.high + APART && other.low < box.high + lift + APART);
      if (!over) break;
      lift = over.high + APART - box.low;
    }
    hung.push(boxOf(sign, px, lift));
    lifts.set(sign.id, lift);
  }
  return lifts;
}

/** The room of a sign in pixels, from the lower left corner of the table. */
export function boxOf(sign: Sign, px: number, lift = 0): Box {
  const [x, up] = [sign.at[0] / px, sign.at[1] / px + lift];
  return { left: x + sign.left, right: x + sign.right, low: up + sign.low, high: up + sign.high };
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

/** The squad whose pennant is hit at a place of the table. */
export function pennantAt(pennants: readonly Pennant[], lifts: ReadonlyMap<string, number>, place: Place, px: number): string | null {
  for (const pennant of pennants) {
    const lift = lifts.get(pennant.id) ?? 0;
    const dx = (place[0] - pennant.at[0]) / px;
    const dy = (place[1] - pennant.at[1]) / px;
    if (dx > pennant.left - 6 && dx < pennant.right + 6 && dy > pennant.low + lift - 2 && dy < pennant.high + lift + 2) return pennant.id;
  }
  return null;
}
