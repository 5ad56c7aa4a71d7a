import { describe, expect, it } from "vitest";

import type { ChoiceSlot, Form, PathSlot, Slot } from "../src/api/types";
import {
  choiceOfPiece,
  goers,
  isFilled,
  isSameForm,
  keptValues,
  missing,
  orderOf,
  sentValues,
  startOf,
  startValues,
  stepsFrom,
  tapped,
} from "../src/state/orders";

const targets: ChoiceSlot = {
  slot: "choice",
  name: "target",
  label: "Target",
  choices: [
    { id: "c1", label: "Guerrilla", pieces: ["c1"] },
    { id: "c2", label: "Group at the ford", pieces: ["c2", "c3"] },
  ],
};
const firers: ChoiceSlot = {
  slot: "choice",
  name: "figures",
  label: "Firers",
  many: true,
  least: 1,
  most: 2,
  choices: ["f1", "f2", "f3"].map((id) => ({ id, label: id, pieces: [id] })),
};
const fire: Form = { verb: "Fire", label: "Aimed fire", fixed: { aimed: true }, slots: [firers, targets] };

describe("orders from forms", () => {
  it("are the verb, what is fixed, and the values", () => {
    expect(orderOf(fire, { figures: ["f1"], target: "c1" })).toEqual({
      verb: "Fire",
      aimed: true,
      figures: ["f1"],
      target: "c1",
    });
  });

  it("start with what leaves no choice", () => {
    const form: Form = {
      verb: "Search",
      label: "Search",
      slots: [
        { slot: "choice", name: "card", label: "Card", choices: [{ id: "k1", label: "Card" }] },
        { slot: "choice", name: "figures", label: "Who", many: true, least: 2, most: 2, choices: [{ id: "f1", label: "1" }, { id: "f2", label: "2" }] },
        { slot: "number", name: "turns", label: "Turns", low: 1, high: 1 },
      ],
    };
    expect(startValues(form)).toEqual({ card: "k1", figures: ["f1", "f2"], turns: 1 });
    expect(missing(form, startValues(form))).toEqual([]);
  });

  it("start with all who may take part where the form asks for more than them", () => {
    expect(startValues({ ...fire, slots: [{ ...firers, most: 3 }, targets] })).toEqual({ figures: ["f1", "f2", "f3"] });
    expect(startValues({ ...fire, slots: [{ ...firers, most: 3 }] })).toEqual({});
    expect(startValues({ ...fire, subject: ["squad", "c1"], slots: [{ ...firers, most: 3 }] })).toEqual({ figures: ["f1", "f2", "f3"] });
    expect(startValues(fire)).toEqual({});
  });

  it("know what is missing", () => {
    expect(missing(fire, { figures: ["f1"] })).toEqual([targets]);
    expect(missing(fire, { figures: [], target: "c1" })).toEqual([firers]);
  });

  it("send an empty list where none need be chosen", () => {
    const form: Form = { verb: "Split", label: "Split", slots: [{ ...firers, name: "second", least: 0, most: 3 }] };
    expect(missing(form, {})).toEqual([]);
    expect(sentValues(form, {})).toEqual({ second: [] });
  });

  it("keep of an old draft what is still offered", () => {
    const now: Form = { ...fire, slots: [firers, { ...targets, choices: targets.choices.slice(0, 1) }] };
    expect(keptValues(now, { figures: ["f1", "f9"], target: "c2" })).toEqual({ figures: ["f1"], target: "c1" });
  });

  it("of the same verb but other fixed parts are different forms", () => {
    expect(isSameForm(fire, { ...fire, label: "other words" })).toBe(true);
    expect(isSameForm(fire, { ...fire, fixed: { aimed: false } })).toBe(false);
  });
});

describe("slots", () => {
  it("of one choice take the last tap", () => expect(tapped(targets, "c1", "c2")).toBe("c2"));

  it("of several choices take and let go, and the oldest makes room", () => {
    expect(tapped(firers, undefined, "f1")).toEqual(["f1"]);
    expect(tapped(firers, ["f1"], "f1")).toEqual([]);
    expect(tapped(firers, ["f1", "f2"], "f3")).toEqual(["f2", "f3"]);
  });

  it("find the choice that a piece on the map stands for", () => {
    expect(choiceOfPiece(targets, "c1")).toBe("c1");
    expect(choiceOfPiece(targets, "c3")).toBe("c2");
    expect(choiceOfPiece(targets, "f1")).toBeUndefined();
  });

  it("refuse a number out of range, an empty text, a path without a step", () => {
    expect(isFilled({ slot: "number", name: "n", label: "", low: 1, high: 3 }, 4)).toBe(false);
    expect(isFilled({ slot: "number", name: "n", label: "", low: 1, high: 3 }, 3)).toBe(true);
    expect(isFilled({ slot: "text", name: "t", label: "" }, "  ")).toBe(false);
    expect(isFilled({ slot: "path", name: "p", label: "", start: [0, 0] }, [])).toBe(false);
    expect(isFilled({ slot: "path", name: "p", label: "", start: [0, 0] }, [[10, 10]])).toBe(true);
  });

  it("begin a path where the first of those stands who go it", () => {
    const path: PathSlot = { slot: "path", name: "path", label: "", start: [0, 0] };
    const who: ChoiceSlot = { ...firers, most: 3, choices: [{ id: "f1", label: "1", at: [0, 0] }, { id: "f2", label: "2", at: [100, 0] }] };
    const move: Form = { verb: "Move", label: "Move", slots: [who, path] };
    expect(startOf(move, path, { figures: ["f1", "f2"] })).toEqual([0, 0]);
    expect(startOf(move, path, { figures: ["f2"] })).toEqual([100, 0]);
    expect(startOf(move, path, {})).toEqual([0, 0]);
    expect(goers(move, path, { figures: ["f1", "f2"] })).toEqual([[0, 0], [100, 0]]);
  });

  it("set anew what is fixed, all of it or a value inside, where somebody wants it otherwise", () => {
    const places: Slot = { slot: "choice", name: "places", label: "Where", choices: [{ id: "6,7,0", label: "F7", at: [6, 7, 0] }, { id: "5,6,0", label: "E6", at: [5, 6, 0] }, { id: "6,8,0", label: "F8", at: [6, 8, 0] }], many: true, most: 3, starts_full: true, must: ["6,7,0"], of_places: true };
    const within: Slot = { slot: "number", name: "standing.within", label: "No farther than", low: 0, high: 99, usual: 99 };
    const form: Form = { verb: "Wait", label: "Wait", fixed: { places: [[6, 7, 0]], standing: { fire: "free", within: 99 } }, more: [places, within] };
    const values = startValues(form);
    expect(missing(form, values)).toEqual([]);
    expect(orderOf(form, sentValues(form, values))).toEqual({ verb: "Wait", places: [[6, 7, 0], [5, 6, 0], [6, 8, 0]], standing: { fire: "free", within: 99 } });
    // All but the first may be taken out.
    const fewer = tapped(places, tapped(places, values["places"], "5,6,0"), "6,7,0");
    expect(orderOf(form, sentValues(form, { places: fewer, "standing.within": 4 }))).toEqual({ verb: "Wait", places: [[6, 7, 0], [6, 8, 0]], standing: { fire: "free", within: 4 } });
    expect(tapped(places, fewer, "5,6,0")).toEqual(["6,7,0", "5,6,0", "6,8,0"]);
  });

  it("follow a hex path by its steps", () => {
    const slot: PathSlot = {
      slot: "path",
      name: "path",
      label: "",
      start: [1, 1],
      steps: { "1,1": [[1, 2]], "1,2": [[2, 2], [1, 3]] },
    };
    expect(stepsFrom(slot, [])).toEqual([[1, 2]]);
    expect(stepsFrom(slot, [[1, 2]])).toEqual([[2, 2], [1, 3]]);
    expect(stepsFrom(slot, [[9, 9]])).toEqual([]);
  });
});
