import { describe, expect, it } from "vitest";

import type { Form, Slot, View } from "../src/api/types";
import { narrowed } from "../src/state/offers";
import { missing, orderOf, sentValues, startValues, tapped } from "../src/state/orders";

const activate: Form = { verb: "Activate", label: "Activate with leaders", subject: ["l"], fixed: { places: [[6, 7, 0], [5, 6, 0], [6, 8, 0]] }, note: "F7, E6, F8" };
const view: View = { pieces: { l: { kind: "unit", side: "us", own: true, at: [6, 7, 0] as never, label: "Lt Hale" }, s: { kind: "unit", side: "us", own: true, at: [5, 6, 0] as never, label: "2nd Squad" } } };
const name = (place: readonly number[]): string => place.join("-");

describe("what leaders may bring in", () => {
  const form = narrowed(activate, view, name);
  const slot = form.slots![0]!;

  it("is all of it to begin with, place by place, with who is there", () => {
    expect(slot).toMatchObject({ slot: "choice", name: "places", many: true, least: 1, most: 3 });
    expect(slot.slot === "choice" && slot.choices.map((choice) => [choice.label, choice.note])).toEqual([["6-7-0", "Lt Hale"], ["5-6-0", "2nd Squad"], ["6-8-0", ""]]);
    const values = startValues(form);
    expect(missing(form, values)).toEqual([]);
    expect(orderOf(form, sentValues(form, values))).toEqual({ verb: "Activate", places: [[6, 7, 0], [5, 6, 0], [6, 8, 0]] });
  });

  it("may be less, but for the place that begins", () => {
    if (slot.slot !== "choice") throw new Error("a choice");
    let value = tapped(slot, startValues(form)["places"], "5,6,0");
    value = tapped(slot, value, "6,7,0");
    expect(orderOf(form, sentValues(form, { places: value }))).toEqual({ verb: "Activate", places: [[6, 7, 0], [6, 8, 0]] });
    expect(tapped(slot, value, "5,6,0")).toEqual(["6,7,0", "5,6,0", "6,8,0"]);
  });

  it("is asked before what else the form asks", () => {
    const leaders: Slot = { slot: "choice", name: "leaders", label: "Who activates", choices: [{ id: "l", label: "Lt Hale" }], many: true, least: 0, most: 1 };
    expect(narrowed({ ...activate, slots: [leaders] }, view, name).slots!.map((each) => each.name)).toEqual(["places", "leaders"]);
  });

  it("is nothing to choose of where it is one place, and other orders stay as they are", () => {
    const alone = { ...activate, fixed: { places: [[6, 7, 0]] } };
    expect(narrowed(alone, view, name)).toBe(alone);
    const move: Form = { verb: "Move", label: "Move", fixed: { units: ["l"] } };
    expect(narrowed(move, view, name)).toBe(move);
  });
});
