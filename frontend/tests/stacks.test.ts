import { describe, expect, it } from "vitest";

import type { Form } from "../src/api/types";
import { commonLabel, stacked } from "../src/state/stacks";

const fire = (target: string, aimed: boolean, what: string): Form => ({
  verb: "Fire",
  label: `${aimed ? "Aimed" : "Prophylactic"} fire at ${what}`,
  subject: ["squad", target],
  fixed: { target, aimed },
});

describe("stacks of forms", () => {
  it("are one button for each thing to do, whoever it is about", () => {
    const forms = [fire("c1", true, "AK47"), fire("c2", true, "RPK"), fire("c1", false, "AK47"), { verb: "EndPhase", label: "End" }];
    const stacks = stacked(forms, "squad");
    expect(stacks.map((stack) => [stack.label, stack.targets])).toEqual([
      ["Aimed fire…", ["c1", "c2"]],
      ["Prophylactic fire at AK47", ["c1"]],
      ["End", []],
    ]);
  });

  it("leave apart what differs in more than whom it is about", () => {
    const split: Form[] = [
      { verb: "Join", label: "Join first", subject: ["squad"], fixed: { squad: "squad", team: "first" } },
      { verb: "Join", label: "Join second", subject: ["squad"], fixed: { squad: "squad", team: "second" } },
    ];
    expect(stacked(split, "squad")).toHaveLength(2);
  });

  it("are named by the words their labels share", () => {
    expect(commonLabel(["Search card 1", "Search card 2"])).toBe("Search card…");
    expect(commonLabel(["Aimed fire at enemy with AK47", "Aimed fire at enemy with RPK"])).toBe("Aimed fire…");
    expect(commonLabel(["Fire", "Fire"])).toBe("Fire");
    expect(commonLabel(["Move", "Fire"])).toBe("Move");
  });
});
