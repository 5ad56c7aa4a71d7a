// News of a seat: JSON merge patches (RFC 7396) that lead from one view to the next, numbered without gaps.

import type { LogLine, NewsItem, View } from "../api/types";
import { words } from "../words";

export function merged(before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

export interface Applied {
  view: View;
  last: number;
  taken: NewsItem[];
  /** The view must be fetched whole: a number is missing, or the umpire took something back. */
  stale: boolean;
}

/** Applies what is new; news already known is passed over (the stream and a catch-up may bring the same). */
export function applied(view: View, last: number, news: readonly NewsItem[]): Applied {
  const taken: NewsItem[] = [];
  let now = view;
  let number = last;
  let stale = false;
  for (const item of [...news].sort((a, b) => a.number - b.number)) {
    if (item.number <= number) continue;
    if (item.number !== number + 1) {
      stale = true;
      break;
    }
    if (item.kind === "rewind") stale = true;
    else if (item.patch !== undefined && item.patch !== null) now = merged(now, item.patch) as View;
    number = item.number;
    taken.push(item);
  }
  return { view: now, last: number, taken, stale };
}

/** A line of the log, with the news that brought it. */
export interface LogEntry {
  number: number;
  at: string;
  kind: string;
  line: LogLine;
}

export function entriesOf(item: NewsItem): LogEntry[] {
  const common = { number: item.number, at: item.at ?? "", kind: item.kind ?? "news" };
  const lines = (item.lines ?? []).map((line) => ({ ...common, line }));
  if (item.kind === "rewind" && !lines.length) return [{ ...common, line: { text: words.log.rewind, kind: "rewind" } }];
  return lines;
}
