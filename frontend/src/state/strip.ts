// What the strip says: one thing at a time, the most pressing first. All else waits behind a number.

import type { NewsItem, Place } from "../api/types";
import { words } from "../words";
import type { Sent } from "./battle.svelte";
import { clock } from "./format";
import { folded } from "./folding";

/** What has just happened, as the lines of one piece of news tell it. */
export interface Told {
  /** The number of the news; told again, it replaces the former. */
  id: string;
  text: string;
  /** What else its lines say. */
  more: string;
  at: Place[];
  pieces: string[];
}

/** Kinds of lines that are said in the head, or of which only the log is to know. */
const QUIET = new Set(["phase", "finish"]);

/** News as one thing that is told; null where it says nothing that is worth a look. */
export function toldOf(item: NewsItem): Told | null {
  const said = (item.lines ?? []).filter((line) => !QUIET.has(line.kind ?? ""));
  if (!said.length) return null;
  // What came of it first, the dice last.
  const lines = [...said.filter((line) => !line.faces?.length), ...said.filter((line) => line.faces?.length)];
  const [text, ...rest] = folded(lines.map((line) => ({ line }))).map((row) => row.text);
  return {
    id: String(item.number),
    text: text!,
    more: rest.join(" "),
    at: lines.flatMap((line) => (line.at ?? []) as unknown as Place[]),
    pieces: [...new Set(lines.flatMap((line) => line.pieces ?? []))],
  };
}

/** The newest last; what is told anew stands in the place of what it replaces. */
export function queued(told: readonly Told[], next: readonly Told[]): Told[] {
  const known = new Set(told.map((each) => each.id));
  return [...told.map((each) => next.find((other) => other.id === each.id) ?? each), ...next.filter((each) => !known.has(each.id))].slice(-MOST);
}

/** What one's own order has brought is told at once, before what others did. */
export const atOnce = (told: readonly Told[], own: Told): Told[] => [own, ...told.filter((each) => each.id !== own.id)];
/** More than these are in the log alone. */
const MOST = 4;

export interface Order {
  key: string;
  id?: string | undefined;
  label: string;
  text: string;
  reasons: string[];
  state: Sent["state"];
}

const WRONG = new Set<Sent["state"]>(["failed", "refused", "stale", "taken_back"]);
const UNDER_WAY = new Set<Sent["state"]>(["sending", "queued", "given"]);

/** Orders of this device that went wrong, or wait for a word of their giver, and those under way; the newest first. */
export function ordersOf(sent: readonly Sent[]): { wrong: Order[]; underWay: Order[] } {
  const said = (entry: Sent): Order => ({ key: entry.key, id: entry.id, label: entry.label, text: textOf(entry), reasons: entry.reasons, state: entry.state });
  const isWrong = (entry: Sent): boolean => WRONG.has(entry.state) || !!entry.takenBack || (entry.reasons.length > 0 && !UNDER_WAY.has(entry.state));
  return { wrong: sent.filter(isWrong).map(said), underWay: sent.filter((entry) => UNDER_WAY.has(entry.state) && !entry.takenBack).map(said) };
}

function textOf(entry: Sent): string {
  if (entry.takenBack) return words.status.taken_back;
  if (entry.state === "sending") return entry.attempt > 1 ? words.status.again(entry.attempt) : words.status.sending;
  if (entry.state === "queued") return words.status.queued(clock(entry.at));
  if (entry.state === "stale") return words.status.stale(clock(entry.at));
  return words.status[entry.state];
}
