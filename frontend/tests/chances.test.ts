import { describe, expect, it } from "vitest";

import { byPiece, chanceOf, percentOf, readableFraction } from "../src/state/chances";

describe("chances", () => {
  it("keep their fraction and are rounded only for the eye", () => {
    expect(chanceOf("26/36")).toEqual({ fraction: "26/36", value: 26 / 36, percent: "72 %" });
    expect(chanceOf("1")).toMatchObject({ percent: "100 %" });
    expect(chanceOf("0")).toMatchObject({ percent: "0 %" });
  });

  it("never call the possible impossible or the likely certain", () => {
    expect(percentOf(1 / 1000)).toBe("< 1 %");
    expect(percentOf(999 / 1000)).toBe("> 99 %");
    expect(percentOf(0)).toBe("0 %");
    expect(percentOf(1)).toBe("100 %");
    expect(percentOf(Number.NaN)).toBe("?");
  });

  it("do not show fractions nobody can read", () => {
    expect(readableFraction(chanceOf("26/36"))).toBe("26/36");
    expect(readableFraction(chanceOf("123456789/987654321"))).toBe("");
    expect(readableFraction(chanceOf("1"))).toBe("");
  });

  it("stand by piece, the likeliest first", () => {
    const odds = byPiece({
      fates: [
        { piece: "a", what: "casualty", chance: "1/10" },
        { piece: "b", what: "casualty", chance: "3/10" },
        { piece: "a", what: "pinned", chance: "5/10" },
      ],
    });
    expect(odds.map((entry) => entry.piece)).toEqual(["a", "b"]);
    expect(odds[0]?.fates.map((fate) => fate.what)).toEqual(["pinned", "casualty"]);
  });
});
