// A scene of hexes as the map draws it: what the server says, put in order once. Nothing here decides what is allowed.

import type { Scene } from "../../api/types";
import type { Box } from "../frame";
import { centre, type Cell, cellKey, corners, directionOf, extentOf, isSameHex, middle, neighbour, ofLattice, type Point, sideTowards } from "./lattice";

export interface HexOfScene {
  at: number[];
  terrain: string;
  elevation?: number;
  storeys?: number;
  fills?: boolean;
  road?: boolean;
  building?: string;
  label?: string;
}

export interface HexKind {
  name?: string;
  leg?: number;
  target_modifier?: number;
  sight?: string;
  height?: number;
  colour?: string;
  is_building?: boolean;
  house?: string[];
  [key: string]: unknown;
}

/** What a scene has where `kind` is "hexes". */
export interface HexScene extends Omit<Scene, "kinds" | "roads"> {
  columns: number;
  rows: number;
  hexes: Record<string, HexOfScene>;
  hexsides?: Record<string, string>;
  streams?: Record<string, string>;
  roads?: string[][];
  silhouettes?: { terrain: string; polygon: number[][]; at: string }[];
  buildings_named?: Record<string, string>;
  names?: Record<string, string>;
  half_hexes?: string[];
  kinds?: Record<string, HexKind>;
}

export interface Ground {
  name: string;
  at: [number, number];
  terrain: string;
  elevation: number;
  storeys: number;
  fills: boolean;
  building: string;
  label: string;
}

export interface Side {
  kind: string;
  ends: [Point, Point];
  between: [string, string];
  /** Towards the lower ground, where one side is lower. */
  down: Point;
}

export interface Board {
  extent: Box;
  columns: number;
  rows: number;
  hexes: Map<string, Ground>;
  byName: Map<string, Ground>;
  sides: Side[];
  streams: { kind: string; points: Point[] }[];
  roads: string[];
  slopes: Side[];
  silhouettes: { terrain: string; points: Point[] }[];
  kinds: Record<string, HexKind>;
}

const boards = new WeakMap<object, Board>();

export function isHexScene(scene: Scene | null | undefined): boolean {
  return scene?.kind === "hexes";
}

/** The board of a scene; made once. */
export function boardOf(scene: Scene): Board {
  let board = boards.get(scene);
  if (!board) {
    board = made(scene as unknown as HexScene);
    boards.set(scene, board);
  }
  return board;
}

function made(scene: HexScene): Board {
  const hexes = new Map<string, Ground>();
  const byName = new Map<string, Ground>();
  for (const [name, hex] of Object.entries(scene.hexes)) {
    const ground: Ground = {
      name,
      at: [hex.at[0]!, hex.at[1]!],
      terrain: hex.terrain,
      elevation: hex.elevation ?? 0,
      storeys: hex.storeys ?? 1,
      fills: hex.fills ?? true,
      building: hex.building ?? "",
      label: hex.label ?? "",
    };
    hexes.set(cellKey(ground.at), ground);
    byName.set(name, ground);
  }
  return {
    extent: extentOf(scene.columns, scene.rows),
    columns: scene.columns,
    rows: scene.rows,
    hexes,
    byName,
    sides: sidesOf(scene.hexsides ?? {}, byName),
    streams: streamsOf(scene.streams ?? {}, byName),
    roads: roadsOf(scene.roads ?? [], hexes, byName),
    slopes: slopesOf(hexes),
    silhouettes: (scene.silhouettes ?? []).map((each) => ({ terrain: each.terrain, points: each.polygon.map(ofLattice) })),
    kinds: scene.kinds ?? {},
  };
}

function sideBetween(kind: string, a: Ground, b: Ground): Side {
  const direction = directionOf(a.at, b.at);
  const low = a.elevation < b.elevation ? a : b;
  const [x, y] = centre(low.at);
  const ends = sideTowards(a.at, direction);
  const [mx, my] = middle(...ends);
  const length = Math.hypot(x - mx, y - my) || 1;
  return { kind, ends, between: [a.name, b.name], down: [(x - mx) / length, (y - my) / length] };
}

function pairOf(name: string, byName: Map<string, Ground>): [Ground, Ground] | null {
  const [first, second] = name.split("-").map((each) => byName.get(each));
  return first && second && directionOf(first.at, second.at) ? [first, second] : null;
}

function sidesOf(given: Record<string, string>, byName: Map<string, Ground>): Side[] {
  return Object.entries(given).flatMap(([name, kind]) => {
    const pair = pairOf(name, byName);
    return pair ? [sideBetween(kind, ...pair)] : [];
  });
}

/** Hexsides between ground of different height. */
function slopesOf(hexes: Map<string, Ground>): Side[] {
  const found: Side[] = [];
  for (const ground of hexes.values()) {
    for (const direction of [1, 2, 3]) {
      const next = hexes.get(cellKey(neighbour(ground.at, direction)));
      if (next && next.elevation !== ground.elevation) found.push(sideBetween("slope", ground, next));
    }
  }
  return found;
}

/** Hexsides that meet end to end, as one line for each kind. */
function streamsOf(given: Record<string, string>, byName: Map<string, Ground>): { kind: string; points: Point[] }[] {
  const byKind = new Map<string, [Point, Point][]>();
  for (const side of sidesOf(given, byName)) byKind.set(side.kind, [...(byKind.get(side.kind) ?? []), side.ends]);
  return [...byKind].flatMap(([kind, ends]) => chains(ends).map((points) => ({ kind, points })));
}

/** Joins segments that share ends to lines as long as they go. */
export function chains(segments: readonly (readonly [Point, Point])[]): Point[][] {
  const key = ([x, y]: Point): string => `${Math.round(x)},${Math.round(y)}`;
  const at = new Map<string, (readonly [Point, Point])[]>();
  for (const each of segments) for (const end of each) at.set(key(end), [...(at.get(key(end)) ?? []), each]);
  const left = new Set(segments);
  const found: Point[][] = [];
  const follow = (from: Point): Point[] => {
    const points: Point[] = [from];
    for (let end = from; ; ) {
      const next = (at.get(key(end)) ?? []).find((each) => left.has(each));
      if (!next) return points;
      left.delete(next);
      end = key(next[0]) === key(end) ? next[1] : next[0];
      points.push(end);
    }
  };
  const isEnd = (point: Point): boolean => at.get(key(point))!.length !== 2;
  for (const each of segments) for (const end of each) if (left.has(each) && isEnd(end)) found.push(follow(end));
  for (const each of segments) if (left.has(each)) found.push(follow(each[0]));
  return found;
}

/** Roads flow through hexes: from the middle of one side to that of the next, and on to the edge of the map. */
function roadsOf(given: string[][], hexes: Map<string, Ground>, byName: Map<string, Ground>): string[] {
  const meeting = new Map<string, number>();
  for (const road of given) for (const name of road) meeting.set(name, (meeting.get(name) ?? 0) + 1);
  return given.flatMap((road) => {
    const grounds = road.map((name) => byName.get(name)).filter((each): each is Ground => !!each);
    if (grounds.length < 2) return [];
    let path = "";
    grounds.forEach((ground, i) => {
      const before = grounds[i - 1];
      const after = grounds[i + 1];
      const dot = centre(ground.at);
      const from = before ? middle(centre(before.at), dot) : beyond(ground.at, after!.at, hexes);
      const to = after ? middle(dot, centre(after.at)) : beyond(ground.at, before!.at, hexes);
      if (!path) path = `M${xy(from)}`;
      path += (meeting.get(ground.name) ?? 0) > 1 || !before || !after ? `L${xy(dot)}L${xy(to)}` : `Q${xy(dot)} ${xy(to)}`;
    });
    return [path];
  });
}

const xy = ([x, y]: Point): string => `${Math.round(x)} ${Math.round(y)}`;

/** Where a road that ends in a hex leaves the map, or the dot where it ends within. */
function beyond(at: Cell, next: Cell, hexes: Map<string, Ground>): Point {
  const back = (directionOf(at, next) + 2) % 6 + 1;
  // Straight on, or by the sides next to that.
  for (const turn of [0, 1, 5]) {
    const direction = ((back - 1 + turn) % 6) + 1;
    if (!hexes.has(cellKey(neighbour(at, direction)))) return middle(...sideTowards(at, direction));
  }
  return centre(at);
}

export function groundOf(board: Board, at: Cell): Ground | undefined {
  return board.hexes.get(cellKey(at));
}

export function isOnBoard(board: Board, at: Cell): boolean {
  return board.hexes.has(cellKey(at));
}

/** The levels that one may stand on there. */
export function levelsOf(board: Board, at: Cell): number[] {
  const ground = groundOf(board, at);
  return ground ? Array.from({ length: ground.storeys }, (_, level) => level) : [];
}

/** The outline of hexes that belong together, in lines for a stroke. */
export function outline(cells: readonly Cell[]): Point[][] {
  const inside = new Set(cells.map(cellKey));
  const edges: [Point, Point][] = [];
  for (const cell of cells) {
    for (let direction = 1; direction <= 6; direction += 1) {
      if (!inside.has(cellKey(neighbour(cell, direction)))) edges.push(sideTowards(cell, direction));
    }
  }
  return chains(edges);
}

/** Hexes of the same terrain that touch, each lot with its outline. */
export function lots(board: Board, terrain: string): { cells: Cell[]; outline: Point[][] }[] {
  const all = [...board.hexes.values()].filter((ground) => ground.terrain === terrain && ground.fills && !ground.building);
  const left = new Set(all.map((ground) => cellKey(ground.at)));
  const found: { cells: Cell[]; outline: Point[][] }[] = [];
  for (const ground of all) {
    if (!left.delete(cellKey(ground.at))) continue;
    const cells: Cell[] = [ground.at];
    for (let i = 0; i < cells.length; i += 1) {
      for (let direction = 1; direction <= 6; direction += 1) {
        const next = neighbour(cells[i]!, direction);
        if (left.delete(cellKey(next))) cells.push(next);
      }
    }
    found.push({ cells, outline: outline(cells) });
  }
  return found;
}

/** The hexes of each building that runs over several, and those that stand alone. */
export function buildingsOf(board: Board): { name: string; terrain: string; storeys: number; cells: Cell[] }[] {
  const found = new Map<string, { name: string; terrain: string; storeys: number; cells: Cell[] }>();
  for (const ground of board.hexes.values()) {
    if (!board.kinds[ground.terrain]?.is_building) continue;
    const key = ground.building || ground.name;
    const lot = found.get(key) ?? { name: ground.label, terrain: ground.terrain, storeys: ground.storeys, cells: [] };
    lot.storeys = Math.max(lot.storeys, ground.storeys);
    lot.cells.push(ground.at);
    found.set(key, lot);
  }
  return [...found.values()];
}

export { corners, isSameHex };
