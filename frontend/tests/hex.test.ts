import { describe, expect, it } from "vitest";

import type { Form, PathSlot, Scene, View } from "../src/api/types";
import { boardOf, buildingsOf, chains, levelsOf, lots, outline } from "../src/map/hex/board";
import { counterAt, countersOf, figureOf, inkOn, placeIn, signOf, SIGNS, stacksOf, weaponFigure } from "../src/map/hex/counters";
import { centre, columnName, corners, directionOf, extentOf, facingAngle, HALF, hexAt, hexesBetween, hexName, neighbour, ofLattice, sideTowards } from "../src/map/hex/lattice";
import { placeMeant, reachOf, wayTo } from "../src/map/hex/paths";
import { FIGURES, WEAPONS } from "../src/map/hex/silhouettes";
import { isWithin, strewn, symbolsOf } from "../src/map/hex/symbols";
import { actsOf, formAt, nameOfPlace, placeOf } from "../src/parts/hex/acts";

const near = (a: readonly number[], b: readonly number[]): void => a.forEach((part, i) => expect(part).toBeCloseTo(b[i]!, 6));

describe("the lattice", () => {
  it("stretches the server's lattice to true hexes", () => {
    for (const [column, row] of [[1, 1], [2, 1], [7, 5]] as const) near(ofLattice([180 * column, 120 * row + 60 * (column % 2)]), centre([column, row]));
    near(ofLattice([120, 0]), [100, 0]);
    near(ofLattice([60, 60]), [50, HALF]);
  });

  it("has columns of odd letters half a hex lower", () => {
    expect(centre([1, 1])[1] - centre([2, 1])[1]).toBeCloseTo(HALF, 6);
  });

  it("has six neighbours, each as far away as the others, in clockwise order from the north", () => {
    for (const at of [[4, 4], [5, 4]] as const) {
      const [x, y] = centre(at);
      for (let direction = 1; direction <= 6; direction += 1) {
        const next = neighbour(at, direction);
        const [nx, ny] = centre(next);
        expect(Math.hypot(nx - x, ny - y)).toBeCloseTo(2 * HALF, 6);
        expect((Math.atan2(nx - x, y - ny) * 180) / Math.PI).toBeCloseTo(direction <= 4 ? 60 * (direction - 1) : 60 * (direction - 1) - 360, 6);
        expect(directionOf(at, next)).toBe(direction);
        expect(hexesBetween(at, next)).toBe(1);
        const [[ax, ay], [bx, by]] = sideTowards(at, direction);
        near([(ax + bx) / 2, (ay + by) / 2], [(x + nx) / 2, (y + ny) / 2]);
      }
    }
    expect(directionOf([1, 1], [3, 1])).toBe(0);
  });

  it("finds the hex under a point, up to its edge", () => {
    for (const at of [[1, 1], [6, 3], [9, 12]] as const) {
      const [x, y] = centre(at);
      for (const [cx, cy] of corners(at, 0.97)) expect(hexAt([cx, cy])).toEqual([...at]);
      for (const [cx, cy] of corners(at, 1.05)) expect(hexAt([cx, cy])).not.toEqual([...at]);
      expect(hexAt([x, y])).toEqual([...at]);
    }
  });

  it("counts ranges as the book does", () => {
    expect(hexesBetween([1, 1], [1, 5])).toBe(4);
    expect(hexesBetween([1, 1], [5, 3])).toBe(4);
    expect(hexesBetween([2, 2], [8, 2])).toBe(6);
    expect(hexesBetween([3, 9], [3, 9])).toBe(0);
  });

  it("names columns and turns facings", () => {
    expect([1, 26, 27].map(columnName)).toEqual(["A", "Z", "AA"]);
    expect(hexName([8, 6])).toBe("H6");
    expect(facingAngle(2)).toBeCloseTo(0, 6);
    expect(facingAngle(1)).toBeCloseTo(-60, 6);
    expect(facingAngle(5)).toBeCloseTo(180, 6);
  });

  it("covers all hexes of a map", () => {
    const room = extentOf(4, 3);
    for (const at of [[1, 1], [2, 1], [4, 3], [1, 3]] as const) {
      for (const [x, y] of corners(at)) {
        expect(x).toBeGreaterThanOrEqual(room.x - 0.01);
        expect(y).toBeGreaterThanOrEqual(room.y - 0.01);
        expect(x).toBeLessThanOrEqual(room.x + room.width + 0.01);
        expect(y).toBeLessThanOrEqual(room.y + room.height + 0.01);
      }
    }
  });
});

const terrains: Record<string, string> = { A1: "forest", B1: "forest", C1: "clear", A2: "clear", B2: "stone", C2: "stone", A3: "forest", B3: "clear", C3: "clear" };
const scene = {
  kind: "hexes",
  width: 0,
  depth: 0,
  columns: 3,
  rows: 3,
  hexes: Object.fromEntries(
    Object.entries(terrains).map(([name, terrain]) => [name, { at: ["ABC".indexOf(name[0]!) + 1, Number(name[1])], terrain, elevation: name === "C1" ? 1 : 0, storeys: terrain === "stone" ? 2 : 1, building: terrain === "stone" ? "hall" : "" }]),
  ),
  hexsides: { "A1-B1": "wall", "A2-C3": "wall" },
  streams: { "B3-C3": "stream_1", "B3-C2": "stream_1" },
  roads: [["A2", "B2", "C1"]],
  kinds: { forest: {}, clear: {}, stone: { is_building: true } },
} as unknown as Scene;

describe("the board", () => {
  const board = boardOf(scene);

  it("is made once for a scene", () => {
    expect(boardOf(scene)).toBe(board);
  });

  it("joins woods that touch, and leaves others apart", () => {
    const found = lots(board, "forest").map((lot) => lot.cells.length).sort();
    expect(found).toEqual([1, 2]);
    expect(outline([[1, 1]])[0]).toHaveLength(7);
    expect(outline([[1, 1], [1, 2]])[0]).toHaveLength(11);
  });

  it("takes a building as one, with its storeys", () => {
    expect(buildingsOf(board)).toMatchObject([{ storeys: 2, cells: [[2, 2], [3, 2]] }]);
    expect(levelsOf(board, [2, 2])).toEqual([0, 1]);
    expect(levelsOf(board, [1, 1])).toEqual([0]);
  });

  it("draws what stands on the side that two hexes share, and nothing between hexes that do not touch", () => {
    expect(board.sides.map((side) => side.between)).toEqual([["A1", "B1"]]);
  });

  it("knows which side of a slope is lower", () => {
    const slope = board.slopes.find((each) => each.between.includes("C1") && each.between.includes("C2"))!;
    expect(slope.down[1]).toBeGreaterThan(0.99);
    expect(board.slopes.every((each) => each.between.includes("C1"))).toBe(true);
  });

  it("makes one stream of sides that meet", () => {
    expect(board.streams).toHaveLength(1);
    expect(board.streams[0]!.points).toHaveLength(3);
    expect(chains([[[0, 0], [1, 0]], [[5, 5], [6, 5]], [[1, 0], [2, 0]]])).toHaveLength(2);
  });

  it("leads roads off the map where they end at its edge", () => {
    const [x, y] = centre([1, 2]);
    const [mx, my] = /^M(\S+) (\S+?)L/.exec(board.roads[0]!)!.slice(1).map(Number) as [number, number];
    expect(Math.hypot(mx - x, my - y)).toBeCloseTo(HALF, 0);
  });

  it("calls places as people do", () => {
    expect(nameOfPlace(board, [2, 2, 1])).toBe("B2 upstairs");
    expect(nameOfPlace(board, [2, 2])).toBe("B2");
  });
});

describe("symbols", () => {
  it("are strewn within the ground they stand for, the same every time", () => {
    const ring = corners([4, 4]);
    const once = strewn(ring, 40);
    expect(once.length).toBeGreaterThan(8);
    expect(once.every((at) => isWithin(ring, at))).toBe(true);
    expect(strewn(ring, 40)).toEqual(once);
  });

  it("tell kinds of ground apart", () => {
    const kinds = ["forest", "light_woods", "brush", "low_crops", "wheat_field", "high_grass", "marsh", "rough", "water", "clear"];
    const drawn = kinds.map((kind) => JSON.stringify(symbolsOf(kind, [corners([4, 4])])));
    expect(new Set(drawn).size).toBe(kinds.length);
    expect(drawn.every((each) => each.length > 60)).toBe(true);
  });

  it("have a silhouette for every kind of counter and weapon", () => {
    const named = Object.entries(FIGURES).filter(([kind]) => kind !== "weapon" && kind !== "work");
    expect(named.every(([, figure]) => figure.path.length > 20)).toBe(true);
    expect(new Set(named.map(([, figure]) => figure.path + (figure.sign ?? "") + (figure.signColour ?? ""))).size).toBeGreaterThanOrEqual(named.length - 1);
    expect(Object.values(WEAPONS).every((path) => path.length > 20)).toBe(true);
  });

  it("show every marker by a sign of its own", () => {
    const signs = ["moved", "assault", "low_crawl", "stealth", "fired", "ops_complete", "moving", "spotted", "melee"].map((key) => SIGNS[key]!.sign);
    expect(new Set(signs).size).toBe(signs.length);
    expect(signOf("calls", "Has called mortar fire").sign).toBe("☏");
    expect(signOf("waits", "Arrives in turn 3").sign).toBe("A");
  });
});

const view: View = {
  sides: { us: { name: "Americans" }, ge: { name: "Germans" } },
  pieces: {
    u1: { kind: "unit", side: "us", own: true, at: [2, 2, 0] as never, label: "Squad", facts: { kind: "squad", factors: "2-5-4-6" }, marks: [{ key: "shaken", label: "Shaken" }, { key: "fired", label: "Fired" }] },
    u2: { kind: "unit", side: "us", own: true, at: [2, 2, 0] as never, label: "Lt. Winters", facts: { kind: "leader", factors: "1-6-6" } },
    u3: { kind: "unit", side: "us", own: true, at: [2, 2, 1] as never, label: "Half", facts: { kind: "half_squad" } },
    w1: { kind: "weapon", side: "us", own: true, at: [2, 2, 0] as never, label: "M1919 machine gun", group: "u1", facts: { factors: "2-10" } },
    w2: { kind: "weapon", side: "us", own: false, at: [1, 1, 0] as never, label: "Panzerfaust", facts: { factors: "3-2" } },
    e1: { kind: "unit", side: "ge", at: [2, 2, 0] as never, label: "Grenadiers", facts: { kind: "squad" } },
    b1: { kind: "work", side: "us", at: [1, 1, 0] as never, label: "Foxhole", facts: { kind: "foxhole" } },
  },
  contacts: { e1: { kind: "unit", label: "Grenadiers", status: "in_sight" }, c9: { kind: "unit", at: [3, 3, 0] as never, label: "A squad", status: "remembered", facts: { side: "ge", kind: "squad" } } },
};

describe("counters", () => {
  const counters = countersOf(view);

  it("show weapons under who possesses them, loose ones by themselves, works not at all", () => {
    expect(counters.map((counter) => counter.id).sort()).toEqual(["c9", "e1", "u1", "u2", "u3", "w2"]);
    expect(counters.find((counter) => counter.id === "u1")).toMatchObject({ factors: "2-5-4-6", figure: "squad", isShaken: true, weapons: [{ id: "w1", figure: "machine_gun", factors: "2-10" }], marks: [{ key: "fired" }] });
    expect(counters.find((counter) => counter.id === "c9")).toMatchObject({ status: "remembered", side: "ge", own: false });
  });

  it("stack by place and side; a leader lies on top", () => {
    const stacks = stacksOf(counters);
    expect(stacks).toHaveLength(5);
    const ground = stacks.find((stack) => stack.key === "2,2,0 us")!;
    expect(ground.counters.map((counter) => counter.id)).toEqual(["u1", "u2"]);
    const up = stacks.find((stack) => stack.key === "2,2,1 us")!;
    const enemy = stacks.find((stack) => stack.key === "2,2,0 ge")!;
    expect(new Set([ground, up, enemy].map((stack) => stack.middle.join())).size).toBe(3);
    for (const stack of [ground, up, enemy]) expect(hexAt([stack.middle[0], stack.middle[1]])).toEqual([2, 2]);
  });

  it("are hit where they lie, the topmost first", () => {
    const stacks = stacksOf(counters);
    const ground = stacks.find((stack) => stack.key === "2,2,0 us")!;
    expect(counterAt(stacks, placeIn(ground, 1))?.id).toBe("u2");
    const [x, y] = placeIn(ground, 0);
    expect(counterAt(stacks, [x - ground.size / 2 + 1, y + ground.size / 2 - 1])?.id).toBe("u1");
    expect(counterAt(stacks, [9999, 9999])).toBeNull();
  });

  it("know what they show", () => {
    expect(figureOf("Weapon team")).toBe("weapon_team");
    expect(figureOf("half_squad")).toBe("half_squad");
    expect(figureOf("")).toBe("unknown");
    expect(["MG34", "60 mm mortar", "Bazooka", "Satchel charge", "Flamethrower"].map(weaponFigure)).toEqual(["machine_gun", "mortar", "tube", "charge", "flame"]);
  });

  it("are printed so that they can be read", () => {
    expect(inkOn("#1f2a1a")).toBe("#ffffff");
    expect(inkOn("#d8d2a0")).toBe("#11160f");
  });
});

describe("ways", () => {
  const slot = {
    slot: "path",
    name: "path",
    label: "Way",
    start: [1, 1, 0],
    region: [[[1, 2, 0, 1]], [[2, 2, 0, 3]], [[2, 2, 1, 4]], [[1, 3, 0, 2]]],
    steps: { "1,1,0": [[1, 2, 0], [2, 2, 0]], "1,2,0": [[1, 3, 0], [2, 2, 0]], "2,2,0": [[2, 2, 1]], "1,3,0": [[2, 2, 0]] },
    most: 3,
  } as unknown as PathSlot;

  it("reach what the steps reach, with what the server counts", () => {
    expect([...reachOf(slot)].map(([key, each]) => [key, each.cost, each.from])).toEqual([["1,2,0", 1, "1,1,0"], ["2,2,0", 3, "1,1,0"], ["1,3,0", 2, "1,2,0"], ["2,2,1", 4, "2,2,0"]]);
  });

  it("come from where the server says", () => {
    const told = { ...slot, region: [[[1, 2, 0, 1, 1, 1, 0]], [[1, 3, 0, 2, 1, 2, 0]], [[2, 2, 0, 3, 1, 3, 0]], [[2, 2, 1, 4, 2, 2, 0]]], most: 4 } as unknown as PathSlot;
    expect(wayTo(told, [], [2, 2, 1])).toEqual([[1, 2, 0], [1, 3, 0], [2, 2, 0], [2, 2, 1]]);
  });

  it("are no longer than they may be", () => {
    const short = { ...slot, most: 1 } as PathSlot;
    expect([...reachOf(short).keys()]).toEqual(["1,2,0", "2,2,0"]);
    expect(wayTo(short, [[2, 2, 0]], [2, 2, 1])).toBeNull();
  });

  it("lead on step by step, or all the way at once", () => {
    expect(wayTo(slot, [], [2, 2, 1])).toEqual([[2, 2, 0], [2, 2, 1]]);
    expect(wayTo(slot, [[1, 2, 0]], [1, 3, 0])).toEqual([[1, 2, 0], [1, 3, 0]]);
    expect(wayTo(slot, [], [9, 9, 0])).toBeNull();
  });

  it("go back to where one taps on them", () => {
    expect(wayTo(slot, [[1, 2, 0], [1, 3, 0]], [1, 2, 0])).toEqual([[1, 2, 0]]);
    expect(wayTo(slot, [[1, 2, 0], [1, 3, 0]], [1, 1, 0])).toEqual([]);
  });

  it("keep to the storey one is on where there are two", () => {
    expect(placeMeant(reachOf(slot), [2, 2], 1)).toEqual([2, 2, 1]);
    expect(placeMeant(reachOf(slot), [2, 2], 0)).toEqual([2, 2, 0]);
  });
});

describe("things to do", () => {
  const fire = (target: number[]): Form => ({ verb: "Fire", label: `Fire at ${target.join()}`, subject: ["u1"], fixed: { target }, slots: [] });
  const forms: Form[] = [fire([2, 2, 0]), fire([2, 2, 1]), { verb: "Move", label: "Move", fixed: { units: ["u1"] } }];

  it("are one where they differ only in the place", () => {
    const acts = actsOf(forms);
    expect(acts.map((act) => [act.label, act.forms.length])).toEqual([["Fire…", 2], ["Move", 1]]);
    expect(placeOf(forms[2]!)).toBeUndefined();
  });

  it("are done to the place that is tapped, its storey first", () => {
    const [act] = actsOf(forms);
    expect(formAt(act!, [2, 2, 1])).toBe(forms[1]);
    expect(formAt(act!, [2, 2, 0])).toBe(forms[0]);
    expect(formAt(act!, [3, 3, 0])).toBeUndefined();
  });
});
