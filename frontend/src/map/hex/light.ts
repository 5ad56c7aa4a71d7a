// What is dark on a hex map, and what star shells light.

import type { View } from "../../api/types";
import { lineOf } from "../frame";
import type { Board } from "./board";
import { type Cell, cellKey, corners, hexesBetween, neighbour, ring, sideTowards } from "./lattice";

export const isNight = (view: View): boolean => view.conditions?.["hour"] === "night";

export interface Darkness {
  /** The hexes that lie in the dark, as one path; and the sides on which light ends. */
  dark: string;
  rim: string;
}

/** Nothing by day. */
export function darknessOf(board: Board, view: View): Darkness | null {
  if (!isNight(view)) return null;
  const shells = Object.values(view.features ?? {}).filter((feature) => feature.kind === "star_shell" && feature.at);
  const isLit = (at: Cell): boolean => shells.some((shell) => hexesBetween(shell.at as Cell, at) <= (shell.radius ?? 0));
  let dark = "";
  let rim = "";
  for (const { at } of board.hexes.values()) {
    if (!isLit(at)) {
      dark += ring(corners(at, 1.004));
      continue;
    }
    for (let direction = 1; direction <= 6; direction += 1) {
      const next = neighbour(at, direction);
      if (board.hexes.has(cellKey(next)) && !isLit(next)) rim += lineOf(sideTowards(at, direction));
    }
  }
  return { dark, rim };
}
