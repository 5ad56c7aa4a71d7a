// Plane geometry for drawing: hundredths of an inch, x to the right, y up. Nothing here decides what is allowed.

import type { Place, Ring } from "../api/types";

export function distance(a: Place, b: Place): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function lengthOf(path: readonly Place[]): number {
  let sum = 0;
  for (let i = 1; i < path.length; i += 1) sum += distance(path[i - 1]!, path[i]!);
  return sum;
}

export function centreOf(places: readonly Place[]): Place {
  if (!places.length) return [0, 0];
  const sum = places.reduce((acc, [x, y]) => [acc[0] + x, acc[1] + y] as Place, [0, 0] as Place);
  return [sum[0] / places.length, sum[1] / places.length];
}

/** Centre of mass of a ring, for its name. */
export function centroidOf(ring: Ring): Place {
  let area = 0;
  let x = 0;
  let y = 0;
  for (let i = 0; i < ring.length; i += 1) {
    const [x0, y0] = ring[i]!;
    const [x1, y1] = ring[(i + 1) % ring.length]!;
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  if (Math.abs(area) < 1) return centreOf(ring);
  return [x / (3 * area), y / (3 * area)];
}

export function isInside(ring: Ring, [x, y]: Place): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const [xi, yi] = ring[i]!;
    const [xj, yj] = ring[j]!;
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

function offLine(p: Place, a: Place, b: Place): number {
  const length = distance(a, b);
  if (length === 0) return distance(p, a);
  const t = Math.max(0, Math.min(1, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / length ** 2));
  return distance(p, [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
}

/** Fewer points with the same course (Ramer, Douglas and Peucker): a finger's trail becomes an order. */
export function simplified(path: readonly Place[], tolerance: number): Place[] {
  if (path.length < 3) return [...path];
  const first = path[0]!;
  const last = path[path.length - 1]!;
  let far = 0;
  let at = 0;
  for (let i = 1; i < path.length - 1; i += 1) {
    const off = offLine(path[i]!, first, last);
    if (off > far) {
      far = off;
      at = i;
    }
  }
  if (far <= tolerance) return [first, last];
  return [...simplified(path.slice(0, at + 1), tolerance).slice(0, -1), ...simplified(path.slice(at), tolerance)];
}

/** Whole hundredths of an inch, on the table. */
export function onTable([x, y]: Place, width: number, depth: number): Place {
  return [Math.max(0, Math.min(width, Math.round(x))), Math.max(0, Math.min(depth, Math.round(y)))];
}

/** A drawn trail as the value of a path slot: without its start, simplified, in whole hundredths on the table. */
export function pathOfTrail(start: Place, trail: readonly Place[], width: number, depth: number, tolerance = 12): Place[] {
  const whole = simplified([start, ...trail], tolerance)
    .slice(1)
    .map((place) => onTable(place, width, depth));
  return whole.filter((place, i) => distance(place, i ? whole[i - 1]! : start) >= 1);
}

export interface Bounds {
  low: Place;
  high: Place;
}

export function boundsOf(places: readonly Place[]): Bounds | null {
  if (!places.length) return null;
  const xs = places.map((place) => place[0]);
  const ys = places.map((place) => place[1]);
  return { low: [Math.min(...xs), Math.min(...ys)], high: [Math.max(...xs), Math.max(...ys)] };
}

/** The length of a scale bar: the largest of 1, 2, 3, 6, 12, 24 inches that fits into so many pixels. */
export function scaleBar(pixelsPerInch: number, most: number): number {
  return [24, 12, 6, 3, 2, 1].find((inches) => inches * pixelsPerInch <= most) ?? 1;
}

/** Grid reference on a grid of six inches: letters from the left, numbers from below. */
export function gridReference([x, y]: Place, step = 600): string {
  const column = Math.floor(x / step);
  const letter = String.fromCharCode(65 + (column % 26));
  return `${letter}${Math.floor(y / step) + 1}`;
}

/** The middle of a window from `low` to `high`, moved so that it shows as little as can be of what lies outside 0 to `size`. */
export function clamped(middle: number, low: number, high: number, size: number): number {
  const half = (high - low) / 2;
  return 2 * half >= size ? size / 2 : Math.min(size - half, Math.max(half, middle));
}
