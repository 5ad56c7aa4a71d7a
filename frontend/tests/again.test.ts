import { describe, expect, it } from "vitest";

import type { Form, View } from "../src/api/types";
import { isOfferedStill, isUnchangedFor, needsNoLook } from "../src/state/again";

const pass: Form = { verb: "Pass", label: "Pass", role: "ends" };
const endPhase: Form = { verb: "EndPhase", label: "End Firing", fixed: { command: "" }, role: "ends" };
const view = (more: Partial<View> = {}): View => ({
  turn: 2,
  phase: { key: "operations", label: "Operations Phase", active: "us", mine: true },
  commands: { platoon: { name: "The platoon", side: "us", own: true }, garrison: { name: "The garrison", side: "ge", own: false } },
  pieces: { a: { kind: "unit", side: "us", own: true, at: [2, 3], label: "1st Squad" }, x: { kind: "unit", side: "ge", at: [8, 6], label: "Squad Hall" } },
  contacts: { x: { kind: "unit", at: [8, 6], status: "in_sight", seen: 2, label: "Squad Hall" } },
  points: { us: { total: 0 } },
  ...more,
});

describe("an order that met newer news", () => {
  it("needs no look if it only ends something", () => {
    expect([pass, endPhase].every(needsNoLook)).toBe(true);
  });

  it("needs a look where there is something to choose, dice to fall, or something to do", () => {
    expect(needsNoLook({ verb: "RallyAll", label: "Rally all 3 units that may try" })).toBe(false);
    expect(needsNoLook({ ...pass, odds: true })).toBe(false);
    expect(needsNoLook({ ...endPhase, slots: [{ slot: "flag", name: "all", label: "For all" }] })).toBe(false);
    expect(needsNoLook({ verb: "Endanger", label: "Endanger" })).toBe(false);
  });

  it("stands if the newest options offer it in the same words", () => {
    expect(isOfferedStill(endPhase, [pass, { ...endPhase, rule: "core 2.0" }])).toBe(true);
    expect(isOfferedStill(endPhase, [{ ...endPhase, label: "End Close Combat" }])).toBe(false);
    expect(isOfferedStill(endPhase, [{ ...endPhase, fixed: { command: "cell" } }])).toBe(false);
    expect(isOfferedStill(pass, [])).toBe(false);
  });

  it("stands if nothing has changed for one's own, in whatever order it is told", () => {
    const now = view({ points: { us: { total: 3 } } });
    expect(isUnchangedFor(view(), { ...now, pieces: Object.fromEntries(Object.entries(now.pieces!).reverse()) })).toBe(true);
    // Somebody has gone out of sight, another is reported.
    expect(isUnchangedFor(view(), view({ pieces: { a: view().pieces!["a"]! }, contacts: { x: { ...view().contacts!["x"]!, status: "remembered" }, r: { kind: "unit", status: "told", label: "a squad" } } }))).toBe(true);
  });

  it("does not stand after a change of one's own troops, of the phase, or with somebody new in sight", () => {
    const { a, x } = view().pieces as { a: NonNullable<View["pieces"]>[string]; x: NonNullable<View["pieces"]>[string] };
    expect(isUnchangedFor(view(), view({ pieces: { a: { ...a, marks: [{ key: "shaken", label: "Shaken" }] }, x } }))).toBe(false);
    expect(isUnchangedFor(view(), view({ pieces: { x } }))).toBe(false);
    expect(isUnchangedFor(view(), view({ phase: { ...view().phase!, active: "ge", mine: false } }))).toBe(false);
    expect(isUnchangedFor(view(), view({ pieces: { a, x, y: { ...x, at: [7, 6] } } }))).toBe(false);
    expect(isUnchangedFor(view(), view({ contacts: { ...view().contacts, z: { kind: "unit", status: "in_sight", label: "enemy with rifle" } } }))).toBe(false);
  });
});
