// A log by turns: a line of the kind "turn" begins one.

import type { LogLine } from "../api/types";

export interface Turn<T> {
  title: string;
  entries: T[];
}

export function byTurn<T extends { line: LogLine }>(entries: readonly T[], before: string): Turn<T>[] {
  const turns: Turn<T>[] = [];
  for (const entry of entries) {
    if (entry.line.kind === "turn") turns.push({ title: entry.line.text.replace(/\.$/, ""), entries: [] });
    else {
      if (!turns.length) turns.push({ title: before, entries: [] });
      turns.at(-1)!.entries.push(entry);
    }
  }
  return turns;
}
