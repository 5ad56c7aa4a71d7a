import { describe, expect, it } from "vitest";

import type { LedgerEntry } from "../src/api/types";
import { isInside, rewindTarget } from "../src/desk/rewinding";

const entry = (depth: number, kind: string, cut = true): LedgerEntry => ({ depth, line: 0, kind, text: "", cut });

/** An order with a roll that one side noticed, and the next order; the newest first, as the desk keeps them. */
const ledger = [entry(13, "happened"), entry(12, "begun"), entry(11, "ended"), entry(10, "happened"), entry(9, "happened", false), entry(8, "thrown"), entry(7, "begun")];

describe("a rewind to just after an entry", () => {
  it("keeps what was noticed of it", () => {
    const target = rewindTarget(ledger, 8)!;
    expect(target.depth).toBe(10);
    expect(isInside(target)).toBe(true);
  });

  it("keeps the end of its order where nothing else is left of it", () => {
    const target = rewindTarget(ledger, 10)!;
    expect(target.depth).toBe(12);
    expect(isInside(target)).toBe(false);
  });

  it("leads nowhere where nothing follows", () => expect(rewindTarget(ledger, 13)).toBeUndefined());
});
