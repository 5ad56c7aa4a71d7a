import { describe, expect, it } from "vitest";

import type { Form } from "../src/api/types";
import { asCorrection, sorted } from "../src/desk/corrections";
import { isFilled, startValues } from "../src/state/orders";

const change: Form = { verb: "Change", label: "Moved", fixed: { piece: "u1", field: "moved" }, note: "none", role: "value", slots: [{ slot: "choice", name: "value", label: "Moved", choices: [{ id: "", label: "none" }, { id: "assault", label: "assault" }] }] };
const show: Form = {
  verb: "ShowContact",
  label: "Show a contact: unit",
  fixed: { kind: "unit" },
  slots: [
    { slot: "choice", name: "command", label: "Command", choices: [{ id: "platoon", label: "The platoon" }, { id: "cell", label: "The cell" }] },
    { slot: "point", name: "at", label: "At" },
    { slot: "choice", name: "looks.side", label: "Side", choices: [{ id: "", label: "not said" }, { id: "us", label: "Americans" }] },
    { slot: "flag", name: "looks.shaken", label: "Shaken" },
  ],
};

describe("the umpire's hand", () => {
  it("sends what the form holds, and of a contact's looks what is said", () => {
    expect(asCorrection(change, { value: "assault" })).toEqual({ verb: "Change", piece: "u1", field: "moved", value: "assault" });
    expect(asCorrection(show, { command: "platoon", at: [8, 6, 0], "looks.side": "us", "looks.shaken": false })).toEqual({
      verb: "ShowContact",
      kind: "unit",
      command: "platoon",
      at: [8, 6, 0],
      looks: { side: "us" },
    });
    expect(asCorrection(show, { "looks.side": "", "looks.shaken": false })).toEqual({ verb: "ShowContact", kind: "unit" });
  });

  it("takes none for a choice like any other", () => {
    expect(isFilled(change.slots![0]!, "")).toBe(true);
    expect(isFilled(change.slots![0]!, "ghost")).toBe(false);
    expect(isFilled(change.slots![0]!, undefined)).toBe(false);
  });

  it("fills in what is usual, yes and no too", () => {
    const award: Form = { verb: "AwardPoints", label: "Award points", slots: [{ slot: "flag", name: "known", label: "Known", usual: true }] };
    expect(startValues(award)).toEqual({ known: true });
  });

  it("tells values from acts", () => {
    expect(sorted([change, show])).toEqual({ values: [change], acts: [show] });
  });
});
