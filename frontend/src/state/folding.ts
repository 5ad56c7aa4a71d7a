// What crowds a log is folded together: phases in which nothing came of anything, a turn with its phases, the same said
// again. Each can be unfolded.

import type { LogLine } from "../api/types";
import { words } from "../words";

export interface Folded<T> {
  /** Oldest first; more than one where lines were folded together. */
  entries: T[];
  text: string;
  /** What kind of row it is: of a turn with its phases, the turn. */
  kind: string;
}

/** Lines, oldest first. A run of lines about phases is one row, with the turn that begins it; a run of the same words too. */
export function folded<T extends { line: LogLine; kind?: string }>(entries: readonly T[]): Folded<T>[] {
  const found: Folded<T>[] = [];
  let run: T[] = [];
  let isRun: (entry: T) => boolean = () => false;
  const close = (): void => {
    if (run.length) found.push({ entries: run, text: textOf(run), kind: run[0]!.line.kind ?? "" });
    run = [];
  };
  for (const entry of entries) {
    if (run.length && isRun(entry)) run.push(entry);
    else {
      close();
      run = [entry];
      const isOfPhases = entry.line.kind === "phase" || entry.line.kind === "turn";
      isRun = isOfPhases ? (next) => next.line.kind === "phase" && next.kind !== "rewind" : (next) => isSaidAgain(entry, next);
      if (entry.kind === "rewind") isRun = () => false;
    }
  }
  close();
  return found;
}

/** The same words of the same kind with nothing to work out: three enemies with rifles come in sight. */
function isSaidAgain<T extends { line: LogLine; kind?: string }>({ line, kind }: T, next: T): boolean {
  return next.kind === kind && next.line.kind === line.kind && next.line.text === line.text && !line.faces?.length && !line.modifiers?.length;
}

function textOf<T extends { line: LogLine }>(run: readonly T[]): string {
  const [first] = run;
  if (first!.line.kind === "phase") return summed(run.map((entry) => entry.line.text));
  return first!.line.kind === "turn" || run.length === 1 ? first!.line.text : words.log.again(first!.line.text, run.length);
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
