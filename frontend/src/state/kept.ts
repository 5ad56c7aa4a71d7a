// What this device keeps of a seat between visits: orders on their way, and for a player the last view he saw, for when
// the hall's Wi-Fi is down. The truth is never kept: the next who holds the device may play a side.

import type { Seat } from "../api/types";
import { keyOf } from "./outbox";

const VIEW = "umpire.last.";
const ORDERS = keyOf("");

const viewKeyOf = (seat: string): string => VIEW + seat;

export function isUmpire(seat: Pick<Seat, "role"> | undefined): boolean {
  return seat?.role === "umpire";
}

/** Whether the last view of this seat may be kept; without a seat it is an account, which sees everything. */
const mayBeKept = (seat: Pick<Seat, "role"> | undefined): boolean => seat !== undefined && !isUmpire(seat);

export function keepView(seat: Seat | undefined, view: unknown, store: Storage = localStorage): void {
  if (!seat || !mayBeKept(seat)) return;
  try {
    store.setItem(viewKeyOf(seat.id), JSON.stringify(view));
  } catch {
    // No room: then there is no old view to show.
  }
}

/** The view kept of this seat; null where there is none, or none that can be read. */
export function keptView<T>(seat: Seat | undefined, store: Storage = localStorage): T | null {
  if (!seat || !mayBeKept(seat)) return null;
  try {
    return JSON.parse(store.getItem(viewKeyOf(seat.id)) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function forgetView(seat: string, store: Storage = localStorage): void {
  store.removeItem(viewKeyOf(seat));
}

/** Everything kept of a seat goes: it was left, or taken away. */
export function forgetAll(seat: string, store: Storage = localStorage): void {
  forgetView(seat, store);
  store.removeItem(keyOf(seat));
}

/** Removes what is kept of seats that are no longer this device's, and views that may not be kept. */
export function sweep(taken: readonly Seat[], store: Storage = localStorage): void {
  const names = Array.from({ length: store.length }, (_, n) => store.key(n) ?? "");
  for (const name of names) {
    const seat = taken.find((each) => name === viewKeyOf(each.id) || name === keyOf(each.id));
    if (name.startsWith(VIEW) && !mayBeKept(seat)) store.removeItem(name);
    if (name.startsWith(ORDERS) && !seat && name !== keyOf("account")) store.removeItem(name);
  }
}
