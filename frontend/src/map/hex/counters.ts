// What a counter shows and where it lies: stacks of a place, fanned or not, levels told apart. Drawn and tapped alike.

import type { Contact, Piece, View } from "../../api/types";
import { centre, type Cell, cellKey, isSameHex, levelOf, placeKey, type Point } from "./lattice";

export type Figure =
  | "squad"
  | "half_squad"
  | "crew"
  | "weapon_team"
  | "leader"
  | "hero"
  | "medic"
  | "sniper"
  | "chaplain"
  | "advisor"
  | "scout"
  | "commissar"
  | "nurse"
  | "weapon"
  | "work"
  | "unknown";

export interface Counter {
  id: string;
  at: Cell;
  side: string;
  figure: Figure;
  /** 2-5-4-6 as it is printed. */
  factors: string;
  label: string;
  own: boolean;
  mayAct: boolean;
  isShaken: boolean;
  isWounded: boolean;
  hidden: boolean;
  seenBy: string[] | undefined;
  /** A contact that is not in sight: remembered, heard, told. */
  status: string;
  marks: { key: string; label: string }[];
  facing: number;
  weapons: Weapon[];
}

export interface Weapon {
  id: string;
  figure: WeaponFigure;
  label: string;
  factors: string;
  isJammed: boolean;
  isSetUp: boolean;
}

export type WeaponFigure = "machine_gun" | "mortar" | "tube" | "charge" | "flame" | "rifle";

const FIGURES = new Set<string>(["squad", "half_squad", "crew", "weapon_team", "leader", "hero", "medic", "sniper", "chaplain", "advisor", "scout", "commissar", "nurse"]);

export function figureOf(text: string | undefined): Figure {
  const key = (text ?? "").toLowerCase().replaceAll(/[ -]/g, "_");
  if (FIGURES.has(key)) return key as Figure;
  return ([...FIGURES].find((each) => key.includes(each)) as Figure | undefined) ?? "unknown";
}

/** The last of these leads a stack of them: men rather than a single man who goes along. */
export const LEADING: Figure[] = ["weapon_team", "crew", "half_squad", "squad"];

/** By the words of a weapon's name. */
export function weaponFigure(name: string): WeaponFigure {
  if (/mortar/i.test(name)) return "mortar";
  if (/bazooka|panzer|piat|rocket|anti-tank/i.test(name)) return "tube";
  if (/flame/i.test(name)) return "flame";
  if (/satchel|demolition|charge|claymore|grenade/i.test(name)) return "charge";
  if (/\bm\.?g|machine|\bbar\b|bren|\.30|\.50|maxim|vickers|m19\d\d|\bdp\d|[lhm]mg/i.test(name)) return "machine_gun";
  return "rifle";
}

const has = (piece: Piece, ...keys: string[]): boolean => piece.marks?.some((mark) => keys.includes(mark.key)) ?? false;
export const isUnit = (piece: Piece): boolean => piece.kind === "unit";
export const isWeapon = (piece: Piece): boolean => piece.kind === "weapon";
export const isWork = (piece: Piece): boolean => piece.kind === "work";

/** Marks that a counter shows by itself. */
const SHOWN = new Set(["shaken", "wounded"]);

function weaponOf(id: string, piece: Piece): Weapon {
  return {
    id,
    figure: weaponFigure(`${piece.label} ${piece.facts?.["kind"] ?? ""}`),
    label: piece.label,
    factors: piece.facts?.["factors"] ?? "",
    isJammed: has(piece, "jammed"),
    isSetUp: has(piece, "set_up"),
  };
}

function counterOf(id: string, piece: Piece, contact: Contact | undefined, weapons: Weapon[]): Counter {
  return {
    id,
    at: piece.at!,
    side: piece.side,
    figure: isWeapon(piece) ? "weapon" : isWork(piece) ? "work" : figureOf(piece.facts?.["kind"]),
    factors: piece.facts?.["factors"] ?? "",
    label: piece.label,
    own: piece.own ?? false,
    mayAct: piece.may_act ?? false,
    isShaken: has(piece, "shaken"),
    isWounded: has(piece, "wounded"),
    hidden: piece.hidden ?? false,
    seenBy: piece.seen_by,
    status: contact && contact.status !== "in_sight" ? contact.status : "",
    marks: (piece.marks ?? []).filter((mark) => !SHOWN.has(mark.key)),
    facing: Number(piece.facts?.["facing"] ?? 0) || 0,
    weapons,
  };
}

export interface Stack {
  key: string;
  at: Cell;
  side: string;
  counters: Counter[];
  /** Middle of the lowest counter, side of a counter, and how each next one is moved: in units of the plane. */
  middle: Point;
  size: number;
  fan: Point;
}

/** Works are ground rather than counters. */
export function worksOf(view: View): [string, Piece][] {
  return Object.entries(view.pieces ?? {}).filter(([, piece]) => isWork(piece) && piece.at);
}

/** All counters of a view: units with the weapons they possess, loose weapons, and contacts that are no pieces. */
export function countersOf(view: View, moved: Record<string, Cell> = {}): Counter[] {
  const all = Object.entries(view.pieces ?? {});
  const carried = new Map<string, Weapon[]>();
  const loose: Counter[] = [];
  for (const [id, piece] of all) {
    if (!isWeapon(piece)) continue;
    const owner = piece.group ?? "";
    if (owner && view.pieces?.[owner]) carried.set(owner, [...(carried.get(owner) ?? []), weaponOf(id, piece)]);
    else if (piece.at) loose.push(counterOf(id, piece, view.contacts?.[id], [weaponOf(id, piece)]));
  }
  const units = all
    .filter(([, piece]) => isUnit(piece) && piece.at)
    .map(([id, piece]) => counterOf(id, piece, view.contacts?.[id], carried.get(id) ?? []));
  const known = new Set(all.map(([id]) => id));
  const contacts = Object.entries(view.contacts ?? {})
    .filter(([id, contact]) => contact.at && !known.has(id))
    .map(([id, contact]) => {
      const piece: Piece = { kind: "unit", side: contact.facts?.["side"] ?? "", at: contact.at!, label: contact.label, facts: contact.facts ?? {} };
      return { ...counterOf(id, piece, contact, []), status: contact.status };
    });
  return [...loose, ...units, ...contacts].map((counter) => (moved[counter.id] ? { ...counter, at: moved[counter.id]! } : counter));
}

const ORDER: Figure[] = ["weapon", "unknown", "crew", "weapon_team", "half_squad", "squad", "scout", "sniper", "medic", "nurse", "chaplain", "advisor", "commissar", "hero", "leader"];

/** Counters by place and side: those of the ground in the middle of their hex, those upstairs and in bunkers beside them,
 * enemies beside each other. */
export function stacksOf(counters: readonly Counter[]): Stack[] {
  const byPlace = new Map<string, Counter[]>();
  for (const counter of counters) {
    const key = `${placeKey(counter.at)} ${counter.side}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), counter]);
  }
  const byHex = new Map<string, [string, Counter[]][]>();
  for (const [key, here] of byPlace) {
    here.sort((a, b) => ORDER.indexOf(a.figure) - ORDER.indexOf(b.figure) || a.id.localeCompare(b.id, undefined, { numeric: true }));
    const hex = cellKey(here[0]!.at);
    byHex.set(hex, [...(byHex.get(hex) ?? []), [key, here]]);
  }
  const stacks: Stack[] = [];
  for (const lot of byHex.values()) {
    lot.sort(([, a], [, b]) => levelOf(a[0]!.at) - levelOf(b[0]!.at) || a[0]!.side.localeCompare(b[0]!.side));
    lot.forEach(([key, here], i) => {
      const [spot, size] = spotOf(lot.length, i);
      const [x, y] = centre(here[0]!.at);
      const step = Math.min(11, (size * 0.34) / Math.max(1, here.length - 1));
      const shift = ((here.length - 1) * step) / 2;
      stacks.push({ key, at: here[0]!.at, side: here[0]!.side, counters: here, middle: [x + spot[0] - shift, y + spot[1] + shift], size, fan: [step, -step] });
    });
  }
  // From the back to the front, so that nearer ones lie over those behind.
  return stacks.sort((a, b) => a.middle[1] - b.middle[1] || a.middle[0] - b.middle[0]);
}

const SPOTS: Record<number, [Point, number][]> = {
  1: [[[0, 8], 112]],
  2: [[[-40, 32], 80], [[40, -26], 80]],
  3: [[[-44, 34], 68], [[44, 34], 68], [[0, -40], 68]],
};

function spotOf(count: number, i: number): [Point, number] {
  const few = SPOTS[Math.min(count, 3)]!;
  if (count <= 3) return few[i]!;
  const angle = (2 * Math.PI * i) / count;
  return [[Math.cos(angle) * 46, Math.sin(angle) * 40], 48];
}

/** Where a counter of a stack lies. */
export function placeIn(stack: Stack, i: number): Point {
  return [stack.middle[0] + stack.fan[0] * i, stack.middle[1] + stack.fan[1] * i];
}

/** The counter under a point of the plane: the topmost that it hits. */
export function counterAt(stacks: readonly Stack[], [x, y]: Point, slack = 0): Counter | null {
  for (let s = stacks.length - 1; s >= 0; s -= 1) {
    const stack = stacks[s]!;
    for (let i = stack.counters.length - 1; i >= 0; i -= 1) {
      const [cx, cy] = placeIn(stack, i);
      const half = stack.size / 2 + slack;
      if (Math.abs(x - cx) <= half && Math.abs(y - cy) <= half) return stack.counters[i]!;
    }
  }
  return null;
}

/** All counters of a hex, level by level, the topmost first. */
export function countersIn(counters: readonly Counter[], hex: Cell): Counter[] {
  return counters
    .filter((counter) => isSameHex(counter.at, hex))
    .sort((a, b) => levelOf(a.at) - levelOf(b.at) || ORDER.indexOf(b.figure) - ORDER.indexOf(a.figure));
}

export interface Sign {
  sign: string;
  fill: string;
  ink: string;
}

/** The markers of the game, each with a shape of its own so that colour is never the only sign. */
export const SIGNS: Record<string, Sign> = {
  moved: { sign: "→", fill: "#fffdf6", ink: "#1d2721" },
  move: { sign: "→", fill: "#fffdf6", ink: "#1d2721" },
  assault: { sign: "⇉", fill: "#ffd9c9", ink: "#7a1f0c" },
  low_crawl: { sign: "﹏", fill: "#e3ecd2", ink: "#2b4a1c" },
  stealth: { sign: "◐", fill: "#d8dcea", ink: "#232a52" },
  fired: { sign: "✶", fill: "#ffe9a8", ink: "#6b4300" },
  ops_complete: { sign: "✓", fill: "#dbe8de", ink: "#1a4a2e" },
  moving: { sign: "…", fill: "#fffdf6", ink: "#0b57d0" },
  spotted: { sign: "◉", fill: "#fbeec8", ink: "#6b4300" },
  melee: { sign: "⚔", fill: "#f6cfc8", ink: "#7a1f0c" },
  hidden: { sign: "○", fill: "#e3e6ea", ink: "#33423a" },
  calls: { sign: "☏", fill: "#e3e6ea", ink: "#33423a" },
};

export function signOf(key: string, label: string): Sign {
  return SIGNS[key] ?? { sign: (label[0] ?? "?").toUpperCase(), fill: "#fffdf6", ink: "#33423a" };
}

/** Dark print on light counters, light on dark ones. */
export function inkOn(colour: string): string {
  const hex = /^#([0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!hex) return "#151b17";
  const [r, g, b] = [0, 2, 4].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#11160f" : "#ffffff";
}

/** The other side of a counter: pale. */
export function pale(colour: string): string {
  const hex = /^#([0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!hex) return "#eceadf";
  const mixed = [0, 2, 4].map((at) => Math.round(parseInt(hex.slice(at, at + 2), 16) * 0.34 + 245 * 0.66));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
