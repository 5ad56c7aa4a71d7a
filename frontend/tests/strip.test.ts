import { describe, expect, it } from "vitest";

import type { Sent } from "../src/state/battle.svelte";
import { atOnce, ordersOf, queued, type Told, toldOf } from "../src/state/strip";

const sent = (key: string, state: Sent["state"], more: Partial<Sent> = {}): Sent => ({ key, label: key, state, attempt: 1, reasons: [], at: "2026-11-30T19:00:00Z", lines: [], ...more });

describe("what has happened", () => {
  it("is told by its lines: what came of it first, the dice last, each said once", () => {
    const lines = [
      { text: "Hits: 9.", kind: "fire", faces: [9] },
      { text: "Five of the enemy fire from ambush.", kind: "fire", pieces: ["c1", "c2"], at: [[4600, 3000]] },
      { text: "Pinned: Rifleman.", kind: "fire", pieces: ["f1"] },
      { text: "Pinned: Rifleman.", kind: "fire", pieces: ["f1"] },
    ];
    expect(toldOf({ number: 41, lines } as never)).toEqual({
      id: "41",
      text: "Five of the enemy fire from ambush.",
      more: "Pinned: Rifleman (2 times). Hits: 9.",
      at: [[4600, 3000]],
      pieces: ["c1", "c2", "f1"],
    });
  });

  it("is nothing where only phases pass, or a view changes without a word", () => {
    expect(toldOf({ number: 1, lines: [{ text: "Government: Firing.", kind: "phase" }] } as never)).toBeNull();
    expect(toldOf({ number: 2 } as never)).toBeNull();
  });

  it("stands in a row, told again in the place of the former, and no longer than a person reads", () => {
    const told = (id: string, text = id): Told => ({ id, text, more: "", at: [], pieces: [] });
    expect(queued([told("1"), told("2")], [told("1", "again")]).map((each) => each.text)).toEqual(["again", "2"]);
    // What one's own order has brought comes before what others did.
    expect(atOnce([told("1"), told("2")], told("2", "own")).map((each) => each.text)).toEqual(["own", "1"]);
    expect(queued([], Array.from({ length: 12 }, (_, n) => told(String(n))))).toHaveLength(4);
  });
});

describe("orders of this device", () => {
  it("are told while they are under way, and where they went wrong until they are put away", () => {
    const { wrong, underWay } = ordersOf([
      sent("given", "given"),
      sent("done", "done"),
      sent("refused", "refused", { reasons: ["Nobody is there."] }),
      sent("stale", "stale"),
      sent("back", "done", { takenBack: true }),
      sent("kept", "queued"),
    ]);
    expect(wrong.map((each) => each.key)).toEqual(["refused", "stale", "back"]);
    expect(wrong[0]!.reasons).toEqual(["Nobody is there."]);
    expect(underWay.map((each) => each.key)).toEqual(["given", "kept"]);
  });
});
