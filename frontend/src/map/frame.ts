// What both surfaces of the map have in common: what they are given, and the points of a drawing.

import type { Place, Scene, View } from "../api/types";

/** A point of the drawing: hundredths of an inch, or of a hex, to the right and down. */
export type Point = readonly [number, number];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Mode = "look" | "point" | "path";

export interface PlanLine {
  force: string;
  label: string;
  points: Place[];
  isDraft?: boolean;
}

/** What a seat, or the desk, has drawn on the map, whatever its surface. */
export interface Surface {
  scene: Scene;
  view: View;
  selected?: ReadonlySet<string>;
  lit?: ReadonlyMap<string, "may" | "chosen">;
  numbers?: ReadonlyMap<string, number>;
  /** look: taps choose pieces; point and path: taps are places. */
  mode?: Mode;
  /** Where a path begins, and the path so far (without its start); `served` is the way the server makes of it. */
  start?: Place | undefined;
  path?: Place[];
  served?: Place[];
  point?: Place | undefined;
  /** Places to point at. */
  flashes?: Place[];
  plans?: PlanLine[];
  ghosts?: Record<string, { at: Place; label: string }>;
  showSeen?: boolean;
  commandNames?: Record<string, string>;
  moved?: Record<string, Place>;
  /** A piece that follows the finger. */
  dragging?: string | undefined;
  ontap?: (id: string | null, place: Place) => void;
  onplace?: (place: Place) => void;
  onpath?: (path: Place[]) => void;
  ondrag?: (id: string, place: Place) => void;
}

/** What may be asked of a map, whatever its surface. */
export interface Camera {
  showAll(): void;
  showPlaces(at: readonly Place[]): void;
  showOwn(): void;
  bringNear(at: readonly Place[]): void;
  follow(at: readonly Place[]): void;
  reveal(at: Place): void;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A line through points, as the path of an SVG; closed for a ring. */
export const lineOf = (points: readonly Point[], isClosed = false): string => (points.length ? `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}${isClosed ? "Z" : ""}` : "");
