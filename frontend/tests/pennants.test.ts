import { describe, expect, it } from "vitest";

import type { Piece, View } from "../src/api/types";
import { boxOf, lifted, pennantAt, pennantsOf, type Sign } from "../src/map/pennants";

const man = (at: [number, number], more: Partial<Piece> = {}): Piece => ({ kind: "figure", side: "red", label: "Rifleman", at, ...more });
const sign = (id: string, at: [number, number]): Sign => ({ id, at, left: 0, right: 40, low: 26, high: 44 });

describe("signs at one place", () => {
  it("hang above one another, and free of each other", () => {
    for (const px of [1, 2.5, 12]) {
      const signs = [sign("a", [1000, 1000]), sign("b", [1000, 1000]), sign("c", [1010, 1003]), sign("far", [9000, 1000])];
      const lifts = lifted(signs, px);
      const boxes = signs.map((each) => boxOf(each, px, lifts.get(each.id)));
      boxes.forEach((one, i) =>
        boxes.slice(i + 1).forEach((other) => {
          const apart = one.right <= other.left || other.right <= one.left || one.high <= other.low || other.high <= one.low;
          expect(apart).toBe(true);
        }),
      );
      expect(lifts.get("a")).toBe(0);
      expect(lifts.get("far")).toBe(0);
    }
  });

  it("leave alone what hangs already", () => {
    const flag = sign("flag", [0, 0]);
    const lifts = lifted([sign("badge", [10, 0])], 1, [flag], new Map([["flag", 0]]));
    expect(lifts.get("badge")).toBeGreaterThanOrEqual(18);
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
    const lifts = lifted(pennants, 1);
    for (const pennant of pennants) {
      const box = boxOf(pennant, 1, lifts.get(pennant.id));
      expect(pennantAt(pennants, lifts, [(box.left + box.right) / 2, (box.low + box.high) / 2], 1)).toBe(pennant.id);
    }
  });

  it("say by which commands somebody of a hidden squad is seen", () => {
    const hidden: View = { groups: { g: { name: "Scouts", pieces: ["a", "b"] } }, pieces: { a: man([0, 0], { hidden: true, seen_by: ["p"] }), b: man([9, 0], { hidden: true, seen_by: [] }) } };
    expect(pennantsOf(hidden, { p: "2 Platoon" }, true)[0]).toMatchObject({ seenBy: ["p"], seen: "2P" });
    expect(pennantsOf(hidden, {}, false)[0]!.seenBy).toBeUndefined();
  });
});
