import { describe, expect, it } from "vitest";

import type { Piece, View } from "../src/api/types";
import { placedNames } from "../src/map/names";
import { bodyOf, boxOf, hung, overlap, pennantAt, pennantsOf, type Sign } from "../src/map/pennants";

const man = (at: [number, number], more: Partial<Piece> = {}): Piece => ({ kind: "figure", side: "red", label: "Rifleman", at, ...more });
const sign = (id: string, at: [number, number]): Sign => ({ id, at, left: 0, right: 40, low: 26, high: 44 });

describe("signs at one place", () => {
  it("hang above one another, and free of each other", () => {
    for (const px of [1, 2.5, 12]) {
      const signs = [sign("a", [1000, 1000]), sign("b", [1000, 1000]), sign("c", [1010, 1003]), sign("far", [9000, 1000])];
      const hangs = hung(signs, px);
      const boxes = signs.map((each) => boxOf(each, px, hangs.get(each.id)));
      boxes.forEach((one, i) =>
        boxes.slice(i + 1).forEach((other) => {
          const apart = one.right <= other.left || other.right <= one.left || one.high <= other.low || other.high <= one.low;
          expect(apart).toBe(true);
        }),
      );
      expect(hangs.get("a")!.lift).toBe(0);
      expect(hangs.get("far")!.lift).toBe(0);
    }
  });

  it("come to an end at any zoom", () => {
    for (let n = 1; n < 400; n += 1) {
      const px = 1 + n * 0.0371;
      const signs = Array.from({ length: 6 }, (_, i) => sign(`s${i}`, [1234 + i * 3, 2345 + i * 7]));
      expect(hung(signs, px, { canTurn: true, bodies: [bodyOf([1240, 2400], 7, px)] }).size).toBe(6);
    }
  });

  it("leave alone what hangs already", () => {
    const flag = sign("flag", [0, 0]);
    expect(hung([sign("badge", [10, 0])], 1, { already: [boxOf(flag, 1)] }).get("badge")!.lift).toBeGreaterThanOrEqual(18);
  });

  it("turn or rise rather than cover somebody, and stay where there is no better way", () => {
    const right = bodyOf([20, 35], 8, 1);
    const left = bodyOf([-20, 35], 8, 1);
    const [x, y] = [500, 500];
    const moved = (body: ReturnType<typeof bodyOf>): ReturnType<typeof bodyOf> => ({ left: body.left + x, right: body.right + x, low: body.low + y, high: body.high + y });
    const way = (...bodies: ReturnType<typeof bodyOf>[]): unknown => hung([sign("a", [x, y])], 1, { bodies: bodies.map(moved), canTurn: true }).get("a");
    expect(way()).toEqual({ lift: 0, isLeft: false });
    expect(way(right)).toEqual({ lift: 0, isLeft: true });
    const risen = way(right, left) as { lift: number; isLeft: boolean };
    expect(risen.lift).toBeGreaterThan(0);
    expect([right, left].some((body) => overlap(boxOf(sign("a", [x, y]), 1, risen), moved(body)))).toBe(false);
    // A crowd everywhere.
    const crowd = Array.from({ length: 400 }, (_, i) => bodyOf([(i % 20) * 10 - 100, Math.floor(i / 20) * 10], 6, 1));
    expect(way(...crowd)).toMatchObject({ lift: 0 });
  });

  it("do not fly off the table", () => {
    const men = [bodyOf([50, 535], 8, 1)];
    expect(hung([sign("a", [30, 500])], 1, { bodies: men, canTurn: true }).get("a")!.isLeft).toBe(false);
    expect(hung([sign("a", [60, 500])], 1, { bodies: [bodyOf([80, 535], 8, 1)], canTurn: true }).get("a")!.isLeft).toBe(true);
  });
});

describe("pennants", () => {
  const view: View = {
    groups: { one: { name: "1 Section", pieces: ["a", "b"] }, two: { name: "2 Section", pieces: ["c"] }, team: { name: "1A", pieces: ["d"] }, whole: { name: "Whole", pieces: ["d"] } },
    pieces: { a: man([100, 100]), b: man([300, 200]), c: man([200, 200]), x: man([0, 0]) },
  };

  it("hang over the middle of the squad's foremost men", () => {
    const [one, two] = pennantsOf(view);
    expect(one!.at).toEqual([200, 200]);
    expect(two!.text).toBe("2S");
    expect(pennantsOf(view).map((each) => each.id)).toEqual(["one", "two"]);
  });

  it("are each hit by a finger where they hang", () => {
    const pennants = pennantsOf(view);
    const hangs = hung(pennants, 1, { canTurn: true });
    for (const pennant of pennants) {
      const box = boxOf(pennant, 1, hangs.get(pennant.id));
      expect(pennantAt(pennants, hangs, [(box.left + box.right) / 2, (box.low + box.high) / 2], 1)).toBe(pennant.id);
    }
  });

  it("say by which commands somebody of a hidden squad is seen", () => {
    const hidden: View = { groups: { g: { name: "Scouts", pieces: ["a", "b"] } }, pieces: { a: man([0, 0], { hidden: true, seen_by: ["p"] }), b: man([9, 0], { hidden: true, seen_by: [] }) } };
    expect(pennantsOf(hidden, { p: "2 Platoon" }, true)[0]).toMatchObject({ seenBy: ["p"], seen: "2P" });
    expect(pennantsOf(hidden, {}, false)[0]!.seenBy).toBeUndefined();
  });
});

describe("names of places", () => {
  const square = (x: number, y: number, size: number): [number, number][] => [[x - size, y - size], [x + size, y - size], [x + size, y + size], [x - size, y + size]];
  const wood = { text: "the wood", at: [500, 500] as [number, number], ring: square(500, 500, 200) };

  it("stand in the middle of their ground, and make room within it for whoever stands there", () => {
    expect(placedNames([wood], 1, [])).toEqual([{ text: "the wood", at: [500, 500] }]);
    const man = bodyOf([500, 505], 7, 1);
    const [moved] = placedNames([wood], 1, [man]);
    expect(moved!.at).not.toEqual([500, 500]);
    expect(Math.abs(moved!.at[0] - 500) <= 200 && Math.abs(moved!.at[1] - 500) <= 200).toBe(true);
  });

  it("do not lie over each other, and are not written twice", () => {
    const lane = { text: "the lane", at: [505, 503] as [number, number], ring: square(505, 503, 8) };
    expect(placedNames([wood, lane], 1, []).map((each) => each.text)).toEqual(["the wood"]);
    expect(placedNames([wood], 1, [], [{ text: "the wood", at: [500, 700] }])).toEqual([]);
  });
});
