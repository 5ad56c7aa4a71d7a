// Trees, bushes, ears and stones: strewn over ground by a rule of thumb that gives the same picture every time.

import { centre, type Cell, cellKey, HALF, isSameHex, type Point, round, SIDE } from "./lattice";

/** A number from 0 to 1 that depends on nothing but its seeds. */
export function chanceOf(...seeds: number[]): number {
  let hash = 2166136261;
  for (const seed of seeds) {
    hash ^= Math.round(seed) | 0;
    hash = Math.imul(hash, 16777619);
    hash ^= hash >>> 13;
  }
  return ((hash >>> 0) % 10007) / 10007;
}

export function isWithin(polygon: readonly Point[], [x, y]: Point): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i, i += 1) {
    const [xi, yi] = polygon[i]!;
    const [xj, yj] = polygon[j]!;
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** Places strewn over a polygon, about so far apart, from the back to the front. */
export function strewn(polygon: readonly Point[], apart: number, jitter = 0.36): Point[] {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const step = apart * 0.866;
  const found: Point[] = [];
  for (let row = Math.floor(Math.min(...ys) / step); row * step <= Math.max(...ys); row += 1) {
    for (let column = Math.floor(Math.min(...xs) / apart); column * apart <= Math.max(...xs); column += 1) {
      const x = (column + (Math.abs(row) % 2) / 2 + (chanceOf(column, row, 1) - 0.5) * 2 * jitter) * apart;
      const y = (row + (chanceOf(column, row, 2) - 0.5) * 2 * jitter) * step;
      if (isWithin(polygon, [x, y])) found.push([x, y]);
    }
  }
  return found;
}

const disc = ([x, y]: Point, r: number): string => `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

export interface Strewing {
  /** How it is drawn: filled, or as strokes of a width. */
  d: string;
  fill?: string;
  stroke?: string;
  width?: number;
}

/** The symbols of a kind of ground over some polygons, as few paths as can be. */
export function symbolsOf(terrain: string, polygons: readonly (readonly Point[])[]): Strewing[] {
  const over = (apart: number, jitter?: number): Point[] => polygons.flatMap((polygon) => strewn(polygon, apart, jitter));
  switch (terrain) {
    case "forest": {
      const crowns = over(40);
      const size = (at: Point): number => 20 + Math.round(chanceOf(at[0], at[1]) * 8);
      return [
        { d: crowns.map((at) => disc([at[0] + 4, at[1] + 6], size(at))).join(""), fill: "#2c4a2a" },
        { d: crowns.map((at) => disc(at, size(at))).join(""), fill: "#4c7a3f", stroke: "#2f5530", width: 3 },
        { d: crowns.map((at) => disc([at[0] - 6, at[1] - 7], Math.round(size(at) * 0.42))).join(""), fill: "#6d9c56" },
      ];
    }
    case "light_woods": {
      const crowns = over(62, 0.3);
      const size = (at: Point): number => 15 + Math.round(chanceOf(at[0], at[1]) * 5);
      return [
        { d: crowns.map((at) => disc([at[0] + 5, at[1] + 7], size(at))).join(""), fill: "#5c7040" },
        { d: crowns.map((at) => disc(at, size(at))).join(""), fill: "#7fa356", stroke: "#466532", width: 3 },
        { d: crowns.map((at) => disc([at[0] - 4, at[1] - 5], Math.round(size(at) * 0.4))).join(""), fill: "#a4c27a" },
      ];
    }
    case "brush":
      return [{ d: over(46).map(([x, y]) => `M${round(x - 15)} ${round(y + 7)}a9 9 0 0 1 7 -14a11 11 0 0 1 17 1a8 8 0 0 1 6 13z`).join(""), fill: "#8a9a4a", stroke: "#586a2c", width: 3 }];
    case "low_crops":
      return [{ d: over(30, 0.1).map(([x, y]) => `M${round(x - 6)} ${round(y - 6)}q6 8 6 12q0 -4 6 -12`).join(""), stroke: "#7d8d36", width: 4 }];
    case "wheat_field":
      return [{ d: over(25, 0.16).map(([x, y]) => `M${round(x)} ${round(y + 10)}v-20m-5 4l5 5l5 -5m-10 7l5 5l5 -5`).join(""), stroke: "#a8791a", width: 3.2 }];
    case "high_grass":
      return [{ d: over(34).map(([x, y]) => `M${round(x - 9)} ${round(y - 10)}q6 8 7 18m2 0v-23m2 23q1 -10 8 -17`).join(""), stroke: "#6f8428", width: 3.4 }];
    case "marsh":
      return [
        { d: over(54).map(([x, y]) => `M${round(x - 20)} ${round(y + 10)}h40m-28 8h18`).join(""), stroke: "#4f86a3", width: 4 },
        { d: over(54).map(([x, y]) => `M${round(x)} ${round(y + 6)}v-18m-4 18l-8 -14m16 0l-8 14`).join(""), stroke: "#4d6f3e", width: 3.4 },
      ];
    case "rough":
      return [{ d: over(46).map(([x, y]) => `M${round(x - 15)} ${round(y + 9)}l5 -17l14 -5l12 11l-3 11z`).join(""), fill: "#9a8e78", stroke: "#5f5647", width: 3 }];
    case "water":
      return [{ d: over(50, 0.2).map(([x, y]) => `M${round(x - 16)} ${round(y)}q8 -7 16 0t16 0`).join(""), stroke: "#dcecf5", width: 4 }];
    case "clear":
      return [{ d: over(74).filter(([x, y]) => chanceOf(x, y, 5) < 0.55).map(([x, y]) => `M${round(x)} ${round(y)}l-4 -7m4 7v-9m0 9l4 -7`).join(""), stroke: "#b3b274", width: 2.2 }];
    default:
      return [];
  }
}

/** The colour of the edge of ground that fills its hexes. */
export const EDGES: Record<string, string> = {
  forest: "#33562f",
  light_woods: "#5d7d3f",
  brush: "#8d9a50",
  low_crops: "#9a9443",
  wheat_field: "#b08a2b",
  high_grass: "#8e9a3f",
  marsh: "#66897a",
  rough: "#85785f",
  water: "#4a7da3",
};

/** Roofs: fill, ridge and outline. */
export const ROOFS: Record<string, { fill: string; light: string; line: string }> = {
  stone_building: { fill: "#7f8794", light: "#a4acb8", line: "#2d333d" },
  wooden_building: { fill: "#9a5f3a", light: "#bd8257", line: "#43220f" },
};
export const ROOF = { fill: "#8c7a66", light: "#b09f8b", line: "#35291d" };

/** A smooth line through points: streams, and contours. */
export function smooth(points: readonly Point[]): string {
  if (points.length < 3) return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
  const isClosed = Math.hypot(points[0]![0] - points.at(-1)![0], points[0]![1] - points.at(-1)![1]) < 1;
  const mid = (a: Point, b: Point): string => `${round((a[0] + b[0]) / 2)} ${round((a[1] + b[1]) / 2)}`;
  if (isClosed) {
    const loop = points.slice(0, -1);
    let d = `M${mid(loop.at(-1)!, loop[0]!)}`;
    loop.forEach((at, i) => (d += `Q${round(at[0])} ${round(at[1])} ${mid(at, loop[(i + 1) % loop.length]!)}`));
    return `${d}Z`;
  }
  let d = `M${round(points[0]![0])} ${round(points[0]![1])}L${mid(points[0]!, points[1]!)}`;
  for (let i = 1; i < points.length - 1; i += 1) d += `Q${round(points[i]![0])} ${round(points[i]![1])} ${mid(points[i]!, points[i + 1]!)}`;
  const last = points.at(-1)!;
  return `${d}L${round(last[0])} ${round(last[1])}`;
}

/** A roof over hexes that belong together: a slab around each dot and between those that touch. */
export function roofOf(cells: readonly Cell[], fills: boolean): { slabs: string; ridges: string } {
  const size = fills ? 0.9 : 0.52;
  const slab = ([x, y]: Point): string =>
    fills
      ? `M${round(x - SIDE * size * 0.5)} ${round(y - HALF * size)}h${SIDE * size}l${round(SIDE * size * 0.5)} ${round(HALF * size)}l${round(-SIDE * size * 0.5)} ${round(HALF * size)}h${-SIDE * size}l${round(-SIDE * size * 0.5)} ${round(-HALF * size)}z`
      : `M${round(x - SIDE * size)} ${round(y - HALF * size)}h${2 * SIDE * size}v${round(2 * HALF * size)}h${-2 * SIDE * size}z`;
  let slabs = cells.map((cell) => slab(centre(cell))).join("");
  let ridges = "";
  const seen = new Set<string>();
  for (const a of cells) {
    seen.add(cellKey(a));
    for (const b of cells) {
      const [ax, ay] = centre(a);
      const [bx, by] = centre(b);
      const length = Math.hypot(bx - ax, by - ay);
      if (seen.has(cellKey(b)) || isSameHex(a, b) || length > 2 * HALF + 1) continue;
      const [nx, ny] = [((by - ay) / length) * HALF * size * 0.64, ((ax - bx) / length) * HALF * size * 0.64];
      slabs += `M${round(ax + nx)} ${round(ay + ny)}L${round(bx + nx)} ${round(by + ny)}L${round(bx - nx)} ${round(by - ny)}L${round(ax - nx)} ${round(ay - ny)}Z`;
      ridges += `M${round(ax)} ${round(ay)}L${round(bx)} ${round(by)}`;
    }
  }
  if (!ridges) {
    const [x, y] = centre(cells[0]!);
    ridges = `M${round(x - SIDE * size * 0.55)} ${round(y)}h${round(SIDE * size * 1.1)}`;
  }
  return { slabs, ridges };
}
