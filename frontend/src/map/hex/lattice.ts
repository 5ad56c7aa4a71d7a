// Hexes by column and row, for drawing and pointing. Columns stand flat side up; those of odd number (A, C, E ...) lie half a
// hex lower; row 1 is north. In the plane the middle of a hex's side is 100 from end to end, y runs down.

import { type Box, lineOf, type Point } from "../frame";

/** Column and row, both from 1, and (where it matters) the level: 0 the ground, 1 upstairs, -1 in a bunker. */
export type Cell = readonly number[];
export type { Point };

export const SIDE = 100;
export const HALF = (SIDE * Math.sqrt(3)) / 2;

/** Corners from the dot, from the one in the north-east clockwise: corner n lies between directions n and n + 1. */
export const CORNERS: readonly Point[] = [
  [SIDE / 2, -HALF],
  [SIDE, 0],
  [SIDE / 2, HALF],
  [-SIDE / 2, HALF],
  [-SIDE, 0],
  [-SIDE / 2, -HALF],
];

export const cellKey = (cell: Cell): string => `${cell[0]},${cell[1]}`;
export const placeKey = (cell: Cell): string => `${cell[0]},${cell[1]},${cell[2] ?? 0}`;
export const levelOf = (cell: Cell): number => cell[2] ?? 0;
export const isSameHex = (a: Cell, b: Cell): boolean => a[0] === b[0] && a[1] === b[1];
export const isSamePlace = (a: Cell, b: Cell): boolean => isSameHex(a, b) && levelOf(a) === levelOf(b);

/** The dot of a hex in the plane. */
export function centre([column = 0, row = 0]: Cell): Point {
  return [1.5 * SIDE * column, HALF * (2 * row + (Math.abs(column) % 2))];
}

/** A point of the server's lattice in the plane: its dots stand at (180 c, 120 r), its corners at (+-120, 0), (+-60, +-60). */
export function ofLattice([x = 0, y = 0]: readonly number[]): Point {
  return [(x * SIDE) / 120, (y * HALF) / 60];
}

export function corners(cell: Cell, scale = 1): Point[] {
  const [x, y] = centre(cell);
  return CORNERS.map(([dx, dy]) => [x + dx * scale, y + dy * scale]);
}

/** The two ends of the hexside towards a direction, clockwise. */
export function sideTowards(cell: Cell, direction: number, scale = 1): [Point, Point] {
  const all = corners(cell, scale);
  return [all[(direction + 4) % 6]!, all[(direction + 5) % 6]!];
}

export function neighbour([column = 0, row = 0]: Cell, direction: number): [number, number] {
  const low = Math.abs(column) % 2;
  switch (direction) {
    case 1:
      return [column, row - 1];
    case 2:
      return [column + 1, row - 1 + low];
    case 3:
      return [column + 1, row + low];
    case 4:
      return [column, row + 1];
    case 5:
      return [column - 1, row + low];
    default:
      return [column - 1, row - 1 + low];
  }
}

/** In which direction the neighbour lies, 0 for hexes that do not touch. */
export function directionOf(a: Cell, b: Cell): number {
  for (let direction = 1; direction <= 6; direction += 1) if (isSameHex(neighbour(a, direction), b)) return direction;
  return 0;
}

/** The range in hexes. */
export function hexesBetween(a: Cell, b: Cell): number {
  const columns = Math.abs(b[0]! - a[0]!);
  const low = (cell: Cell): number => 2 * cell[1]! + (Math.abs(cell[0]!) % 2);
  const halves = Math.abs(low(b) - low(a));
  return columns + Math.max(0, halves - columns) / 2;
}

/** The hex under a point of the plane; it may lie off the map. */
export function hexAt([x, y]: readonly [number, number]): [number, number] {
  const near = Math.round(x / (1.5 * SIDE));
  let best: [number, number] = [near, 0];
  let least = Infinity;
  for (let column = near - 1; column <= near + 1; column += 1) {
    const row = Math.round((y / HALF - (Math.abs(column) % 2)) / 2);
    const [cx, cy] = centre([column, row]);
    const off = Math.hypot(x - cx, y - cy);
    if (off < least) {
      least = off;
      best = [column, row];
    }
  }
  return best;
}

/** From the dot to the spine between directions n and n + 1: where a weapon team or a bunker looks. */
export function facingAngle(spine: number): number {
  const [dx, dy] = CORNERS[(spine + 5) % 6]!;
  return (Math.atan2(dy, dx) * 180) / Math.PI;
}

/** The room that a map of so many columns and rows takes. */
export function extentOf(columns: number, rows: number): Box {
  const left = centre([1, 1])[0] - SIDE;
  const right = centre([columns, 1])[0] + SIDE;
  const top = centre([2, 1])[1] - HALF;
  const bottom = centre([1, rows])[1] + HALF;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Where a place is drawn: upstairs a little above the dot, in a bunker a little below. */
export function upper(cell: Cell): Point {
  const [x, y] = centre(cell);
  return levelOf(cell) > 0 ? [x + 26, y - 34] : levelOf(cell) < 0 ? [x - 26, y + 30] : [x, y];
}

export const ring = (points: readonly Point[]): string => lineOf(points, true);

export const round = (value: number): number => Math.round(value * 10) / 10;

export const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/** A to Z, then AA, AB and so on. */
export function columnName(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

export const hexName = (cell: Cell): string => `${columnName(cell[0]!)}${cell[1]}`;
