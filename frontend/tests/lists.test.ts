import { describe, expect, it } from "vitest";

import type { Entry, Form, ListSlot, Slot } from "../src/api/types";
import { entriesFrom, isListFilled, sentList, slotsIn, startEntry, takenOver, wayOf } from "../src/state/lists";
import { missing, orderOf, sentValues, startValues } from "../src/state/orders";

const path: Slot = { slot: "path", name: "path", label: "Where", start: [0, 0] };
const pace: Slot = { slot: "choice", name: "pace", label: "How", choices: [{ id: "walk", label: "Walk" }, { id: "run", label: "Run" }], usual: "walk" };
const legs: ListSlot = {
  slot: "list",
  name: "legs",
  label: "Legs",
  parts: [
    { label: "Go", slots: [pace, path] },
    { label: "Halt", fixed: { pace: "halt" }, slots: [{ slot: "number", name: "turns", label: "Turns", low: 1, high: 9, usual: 2 }] },
  ],
  most: 3,
  goes_on: true,
};
const signals: ListSlot = {
  slot: "list",
  name: "on_signal",
  label: "Signals",
  parts: [{ label: "Signal", slots: [{ slot: "text", name: "signal", label: "Signal" }, { slot: "choice", name: "does", label: "Does", choices: [{ id: "go", label: "Go" }] }] }],
  most: 2,
  by: "signal",
};
const form: Form = { verb: "Plan", label: "Plan", fixed: { force: "f" }, slots: [legs, signals, { slot: "flag", name: "is_held", label: "Held" }, { slot: "text", name: "note", label: "Note", least: 0 }] };
const going = (...places: [number, number][]): Entry => ({ part: 0, values: { pace: "run", path: places } });

describe("a form with lists", () => {
  it("asks for nothing where nothing is needed, and sends all it has", () => {
    const values = startValues(form);
    expect(missing(form, values)).toEqual([]);
    expect(orderOf(form, sentValues(form, values))).toEqual({ verb: "Plan", force: "f", legs: [], on_signal: {}, is_held: false, note: "" });
  });

  it("becomes an order with its entries", () => {
    const halt = startEntry(legs, 1);
    const values = { ...startValues(form), legs: [going([1, 1], [2, 2]), halt], on_signal: [{ part: 0, values: { signal: "whistle", does: "go" } }] };
    expect(sentValues(form, values)).toMatchObject({
      legs: [{ pace: "run", path: [[1, 1], [2, 2]] }, { pace: "halt", turns: 2 }],
      on_signal: { whistle: "go" },
    });
  });
});

describe("a list", () => {
  it("is filled when its entries are, no more than fit, and no key stands there twice", () => {
    expect(isListFilled(legs, [going([1, 1])])).toBe(true);
    expect(isListFilled(legs, [going()])).toBe(false);
    expect(isListFilled(legs, [startEntry(legs, 0)])).toBe(false);
    expect(isListFilled(legs, [1, 2, 3, 4].map(() => startEntry(legs, 1)))).toBe(false);
    const twice = ["a", "a"].map((signal): Entry => ({ part: 0, values: { signal, does: "go" } }));
    expect(isListFilled(signals, twice)).toBe(false);
    expect(isListFilled({ ...legs, least: 1 }, [])).toBe(false);
  });

  it("goes on where the entry before ended, halts between or not", () => {
    const entries = [going([1, 1], [5, 5]), startEntry(legs, 1), startEntry(legs, 0)];
    expect(slotsIn(legs, entries, 0)[1]).toMatchObject({ start: [0, 0] });
    expect(slotsIn(legs, entries, 2)[1]).toMatchObject({ start: [5, 5] });
    expect(slotsIn({ ...legs, goes_on: false }, entries, 2)[1]).toMatchObject({ start: [0, 0] });
    expect(wayOf(legs, [...entries.slice(0, 2), going([9, 9])])).toEqual([[0, 0], [1, 1], [5, 5], [9, 9]]);
  });

  it("begins a way where whoever goes it stands", () => {
    const who: Slot = { slot: "choice", name: "man", label: "Who", choices: [{ id: "a", label: "A", at: [3, 4] }, { id: "b", label: "B", at: [7, 8] }] };
    const ways: ListSlot = { slot: "list", name: "paths", label: "", parts: [{ label: "", slots: [who, path] }], most: 2, by: "man" };
    const entries: Entry[] = [{ part: 0, values: { man: "b", path: [[9, 9]] } }, { part: 0, values: {} }];
    expect(slotsIn(ways, entries, 0)[1]).toMatchObject({ start: [7, 8] });
    expect(slotsIn(ways, entries, 1)[1]).toMatchObject({ start: [0, 0] });
    expect(sentList(ways, entries.slice(0, 1))).toEqual({ b: [[9, 9]] });
  });

  it("takes up what stands in a view, and gives it back the same", () => {
    const plan = { legs: [{ pace: "run", path: [[1, 1]], turns: 0 }, { pace: "halt", path: [], turns: 3 }], on_signal: { whistle: "go" }, is_held: true, note: "n", status: "running" };
    const values = takenOver(form.slots!, plan);
    expect(Object.keys(values).sort()).toEqual(["is_held", "legs", "note", "on_signal"]);
    expect(sentList(legs, values["legs"] as Entry[])).toEqual([{ pace: "run", path: [[1, 1]] }, { pace: "halt", turns: 3 }]);
    expect(sentList(signals, values["on_signal"] as Entry[])).toEqual({ whistle: "go" });
    expect(entriesFrom(legs, "nonsense")).toEqual([]);
  });
});
