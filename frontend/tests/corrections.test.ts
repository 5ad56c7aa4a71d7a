import { describe, expect, it } from "vitest";

import type { View } from "../src/api/types";
import { asCorrection, battleForms, fieldForms, pieceForms } from "../src/desk/corrections";

const view: View = {
  commands: { platoon: { name: "The platoon", side: "us" } },
  sides: { us: { name: "Americans" } },
  plans: { u1: {} },
  pieces: { u1: { kind: "unit", side: "us", label: "1st Squad", hidden: true }, u2: { kind: "unit", side: "us", label: "2nd Squad", hidden: false } },
};
const verbs = (id: string): string[] => pieceForms("lnl", id, view.pieces![id], false, view).map((form) => form.verb);

describe("the umpire's hand in Lock 'n Load", () => {
  it("opens what is hidden and hides what is open", () => {
    expect(verbs("u1")).toEqual(["MoveTo", "Reveal", "DropPlan", "Remove"]);
    expect(verbs("u2")).toEqual(["MoveTo", "Conceal", "Remove"]);
  });

  it("sets yes and no as such, and numbers and words as they are", () => {
    const form = fieldForms("lnl", "unit", "u1").find((each) => each.fixed?.["field"] === "is_shaken")!;
    expect(asCorrection(form, { value: "true" })).toEqual({ verb: "Change", piece: "u1", field: "is_shaken", value: true });
    const named = fieldForms("lnl", "unit", "u1").find((each) => each.fixed?.["field"] === "moved")!;
    expect(asCorrection(named, { value: "assault" })["value"]).toBe("assault");
    const alone = battleForms("lnl", view).find((each) => each.verb === "SetPlansOnly")!;
    expect(asCorrection(alone, { command: "platoon", plans_only: "false" })).toEqual({ verb: "SetPlansOnly", command: "platoon", plans_only: false });
  });

  it("puts what a contact looks like together", () => {
    const form = battleForms("lnl", view).find((each) => each.verb === "ShowContact")!;
    expect(asCorrection(form, { command: "platoon", "looks.side": "us", "looks.counter": "us_airborne", at: [8, 6] })).toEqual({
      verb: "ShowContact",
      kind: "unit",
      command: "platoon",
      looks: { side: "us", counter: "us_airborne" },
      at: [8, 6],
    });
  });

  it("takes away contacts of the picture that is looked at", () => {
    const believed: View = { you: { commands: ["platoon"] }, contacts: { e1: { kind: "unit", label: "A squad", status: "told" } } };
    expect(battleForms("lnl", view).map((form) => form.verb)).not.toContain("DropContact");
    expect(battleForms("lnl", view, believed).find((form) => form.verb === "DropContact")).toMatchObject({ fixed: { command: "platoon" }, slots: [{ choices: [{ id: "e1" }] }] });
  });
});
