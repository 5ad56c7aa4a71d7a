import { describe, expect, it } from "vitest";

import type { Place } from "../src/api/types";
import { centroidOf, gridReference, isInside, lengthOf, onTable, pathOfTrail, scaleBar, simplified } from "../src/geometry/plane";

const square: Place[] = [[0, 0], [100, 0], [100, 100], [0, 100]];

describe("plane", () => {
  it("measures a path", () => expect(lengthOf([[0, 0], [300, 400], [300, 500]])).toBe(600));

  it("knows inside from outside, and the middle, whichever way round the ring goes", () => {
    expect(isInside(square, [50, 50])).toBe(true);
    expect(isInside(square, [150, 50])).toBe(false);
    expect(centroidOf(square)).toEqual([50, 50]);
    expect(centroidOf([...square].reverse())).toEqual([50, 50]);
  });

  it("makes a trail shorter but keeps its corners", () => {
    const trail: Place[] = [];
    for (let x = 0; x <= 100; x += 5) trail.push([x, 0]);
    for (let y = 5; y <= 100; y += 5) trail.push([100, y]);
    expect(simplified(trail, 2)).toEqual([[0, 0], [100, 0], [100, 100]]);
  });

  it("makes a finger's trail a path of whole hundredths on the table, without its start", () => {
    expect(pathOfTrail([10, 10], [[10.2, 10.1], [60.4, 10.2], [110.6, 10.1], [110.7, -40]], 200, 100)).toEqual([
      [111, 10],
      [111, 0],
    ]);
  });

  it("keeps places on the table", () => expect(onTable([-3, 4900.4], 7200, 4800)).toEqual([0, 4800]));

  it("chooses a scale bar that fits", () => {
    expect(scaleBar(10, 130)).toBe(12);
    expect(scaleBar(100, 130)).toBe(1);
    expect(scaleBar(200, 130)).toBe(1);
  });

  it("names squares of six inches from the lower left corner", () => {
    expect(gridReference([0, 0])).toBe("A1");
    expect(gridReference([650, 1250])).toBe("B3");
  });
});
