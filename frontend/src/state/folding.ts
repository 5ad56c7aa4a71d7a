// Phases in which nothing came of anything are one line of the log; each can be unfolded.

import type { LogLine } from "../api/types";

export interface Folded<T> {
  /** Oldest first; more than one where lines were folded together. */
  entries: T[];
  text: string;
}

/** Lines, oldest first, with every run of lines about phases made one. */
export function folded<T extends { line: LogLine; kind?: string }>(entries: readonly T[]): Folded<T>[] {
  const found: Folded<T>[] = [];
  let run: T[] = [];
  const close = (): void => {
    if (run.length) found.push({ entries: run, text: summed(run.map((entry) => entry.line.text)) });
    run = [];
  };
  for (const entry of entries) {
    if (entry.line.kind === "phase" && entry.kind !== "rewind") run.push(entry);
    else {
      close();
      found.push({ entries: [entry], text: entry.line.text });
    }
  }
  close();
  return found;
}

/** "Red: March." and "Red: Fire." are "Red: March, Fire."; what says of nobody which phase it is, is left out of many. */
function summed(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!;
  const parts: { who: string; phases: string[] }[] = [];
  for (const text of texts) {
    const at = text.indexOf(": ");
    if (at < 0) continue;
    const who = text.slice(0, at);
    const phase = text.slice(at + 2).replace(/\.$/, "");
    const last = parts.at(-1);
    if (last?.who === who) last.phases.push(phase);
    else parts.push({ who, phases: [phase] });
  }
  if (!parts.length) return texts.at(-1)!;
  return parts.map(({ who, phases }) => `${who}: ${phases.join(", ")}.`).join(" ");
}
