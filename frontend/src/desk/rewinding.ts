// Where a rewind to "just after" an entry leads.

import type { LedgerEntry } from "../api/types";

/**
 * The entry before which the battle is taken back, so that it stands just after the one at `depth`: what was noticed of
 * that one stays with it, and so does the end of its order where nothing else is left of it. Undefined where nothing follows.
 */
export function rewindTarget(ledger: readonly LedgerEntry[], depth: number): LedgerEntry | undefined {
  return [...ledger]
    .sort((a, b) => a.depth - b.depth)
    .find((entry) => entry.depth > depth && entry.cut === true && entry.kind !== "ended");
}

/** Whether it stands in the middle of an order then, which stops there until the umpire says what becomes of it. */
export function isInside(target: LedgerEntry): boolean {
  return target.kind !== "begun" && target.kind !== "corrected";
}
