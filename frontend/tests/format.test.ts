import { describe, expect, it } from "vitest";

import type { Scene } from "../src/api/types";
import { groundAt, plain, signed, spoken, summary } from "../src/state/format";

describe("words", () => {
  it("say many names in few", () => {
    expect(summary(["Leader, 1 Section", "Rifleman, 1 Section", "Rifleman, 1 Section"])).toBe("Leader, 2 × Rifleman");
    expect(summary(["Leader, 1 Section", "Leader, 2 Section"])).toBe("Leader, 1 Section, Leader, 2 Section");
    expect(summary(["Leader, 1 Section"])).toBe("Leader, 1 Section");
  });

  it("come from keys and verbs", () => {
    expect(plain("motivation_rating")).toBe("Motivation rating");
    expect(spoken("EndPhase")).toBe("End phase");
    expect([signed(2), signed(0), signed(-3)]).toEqual(["+2", "0", "−3"]);
  });

  it("name the ground under a finger", () => {
    const scene: Scene = {
      kind: "inches",
      width: 1000,
      depth: 1000,
      terrain: [{ key: "w", name: "North wood", kind: "jungle", ring: [[0, 0], [200, 0], [200, 200], [0, 200]] }],
      roads: [{ key: "r", name: "Track", line: [[0, 500], [1000, 500]], width: 100 }],
      kinds: { jungle: { label: "jungle", going: "bad", cover: "hard" }, open: { going: "good" } },
    };
    expect(groundAt(scene, [100, 100])).toEqual([{ title: "North wood: jungle", going: "bad", cover: "hard" }]);
    expect(groundAt(scene, [500, 540])[0]?.title).toBe("Track");
    expect(groundAt(scene, [900, 900])[0]?.title).toBe("Open ground");
  });
});
