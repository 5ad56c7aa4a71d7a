import { describe, expect, it } from "vitest";

import type { View } from "../src/api/types";
import { applied, merged } from "../src/state/news";

describe("merge patch (the examples of RFC 7396)", () => {
  const examples: [unknown, unknown, unknown][] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [["a", "b"], ["c", "d"], ["c", "d"]],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  it.each(examples)("%j with %j is %j", (before, patch, after) => {
    expect(merged(before, patch)).toEqual(after);
  });

  it("leaves what it started from as it was", () => {
    const before = { pieces: { f1: { at: [1, 2] } } };
    merged(before, { pieces: { f1: null } });
    expect(before).toEqual({ pieces: { f1: { at: [1, 2] } } });
  });
});

describe("news", () => {
  const view: View = { turn: 1, pieces: { f1: { kind: "figure", side: "s", label: "one", at: [0, 0] } } };

  it("applies in order of number, whatever order it comes in", () => {
    const result = applied(view, 4, [
      { number: 6, patch: { turn: 3 } },
      { number: 5, patch: { turn: 2 } },
    ]);
    expect(result.view.turn).toBe(3);
    expect(result.last).toBe(6);
    expect(result.taken.map((item) => item.number)).toEqual([5, 6]);
    expect(result.stale).toBe(false);
  });

  it("passes over what it already has", () => {
    const result = applied(view, 5, [{ number: 5, patch: { turn: 9 } }]);
    expect(result.view).toBe(view);
    expect(result.taken).toEqual([]);
  });

  it("stops at a gap and says so", () => {
    const result = applied(view, 4, [
      { number: 5, patch: { turn: 2 } },
      { number: 7, patch: { turn: 4 } },
    ]);
    expect(result).toMatchObject({ last: 5, stale: true });
    expect(result.view.turn).toBe(2);
  });

  it("asks for the whole view after a rewind", () => {
    const result = applied(view, 4, [{ number: 5, kind: "rewind", patch: { turn: 1 } }]);
    expect(result).toMatchObject({ last: 5, stale: true });
    expect(result.view).toBe(view);
  });

  it("removes a piece that is gone", () => {
    expect(applied(view, 0, [{ number: 1, patch: { pieces: { f1: null } } }]).view.pieces).toEqual({});
  });
});
