import { describe, expect, it } from "vitest";

import type { View } from "../src/api/types";
import type { Board } from "../src/map/hex/board";
import { darknessOf } from "../src/map/hex/light";
import { cellKey } from "../src/map/hex/lattice";

const cells: [number, number][] = [];
for (let column = 1; column <= 5; column += 1) for (let row = 1; row <= 5; row += 1) cells.push([column, row]);
const board = { hexes: new Map(cells.map((at) => [cellKey(at), { at }])) } as unknown as Board;
const night = (features: View["features"] = {}): View => ({ conditions: { hour: "night" }, features });
const rings = (d: string): number => d.split("Z").length - 1;

describe("darkness", () => {
  it("is none by day", () => {
    expect(darknessOf(board, { conditions: { hour: "day" } })).toBeNull();
    expect(darknessOf(board, {})).toBeNull();
  });

  it("lies over the whole map by night, and light has no rim", () => {
    expect(rings(darknessOf(board, night())!.dark)).toBe(25);
    expect(darknessOf(board, night())!.rim).toBe("");
  });

  it("leaves out the hexes that a star shell lights: its own and those around", () => {
    const lit = night({ s: { kind: "star_shell", at: [3, 3], radius: 1 } });
    expect(rings(darknessOf(board, lit)!.dark)).toBe(25 - 7);
    // Each of the six around has three sides towards the dark.
    expect(darknessOf(board, lit)!.rim.split("M").length - 1).toBe(18);
  });

  it("has no rim at the edge of the map", () => {
    const corner = night({ s: { kind: "star_shell", at: [1, 1], radius: 0 } });
    expect(darknessOf(board, corner)!.rim.split("M").length - 1).toBeLessThan(6);
  });
});
