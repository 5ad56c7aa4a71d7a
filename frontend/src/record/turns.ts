// A log by turns: a line of the kind "turn" begins one.

import type { LogLine } from "../api/types";

export interface Turn<T> {
  title: string;
  entries: T[];
}

export function byTurn<T extends { line: LogLine }>(entries: readonly T[], before: string): Turn<T>[] {
  const turns: Turn<T>[] = [];
  for (const entry of entries) {
    if (entry.line.kind === "turn") {
      const title = entry.line.text.replace(/\.$/, "");
      const last = turns.at(-1);
      // What begins with nothing between is one heading: a turn, and who has the initiative in it.
      if (last && !last.entries.length) last.title = `${last.title}. ${title}`;
      else turns.push({ title, entries: [] });
    }
    else {
      if (!turns.length) turns.push({ title: before, entries: [] });
      turns.at(-1)!.entries.push(entry);
    }
  }
  return turns;
}
