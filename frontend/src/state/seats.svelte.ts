// The seats this device has taken: tokens live in localStorage and go with every request of that seat.

import { Api } from "../api/client";
import type { Battle, Seat } from "../api/types";
import { forgetAll, forgetView, isUmpire, sweep } from "./kept";

export interface TakenSeat {
  token: string;
  seat: Seat;
  battle: Battle;
}

const KEY = "umpire.seats";

function readSeats(): TakenSeat[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as TakenSeat[]).filter((entry) => entry?.token && entry?.seat?.id) : [];
  } catch {
    return [];
  }
}

class Seats {
  list = $state.raw<TakenSeat[]>(readSeats());

  constructor() {
    sweep(this.list.map((entry) => entry.seat));
  }

  /** The seat is this device's. What it kept of the same seat goes: somebody else may have sat there. */
  take(entry: TakenSeat): void {
    forgetView(entry.seat.id);
    this.keep([entry, ...this.list.filter((other) => other.seat.id !== entry.seat.id)]);
  }

  forget(seat: string): void {
    this.keep(this.list.filter((entry) => entry.seat.id !== seat));
    forgetAll(seat);
  }

  find(battle: string, seat?: string): TakenSeat | undefined {
    return this.list.find((entry) => entry.battle.id === battle && (seat === undefined || entry.seat.id === seat));
  }

  private keep(list: TakenSeat[]): void {
    this.list = list;
    try {
      localStorage.setItem(KEY, JSON.stringify(list));
    } catch {
      // A full or forbidden store: the seat lasts as long as the page.
    }
  }
}

export const seats = new Seats();

export { isUmpire } from "./kept";

export function addressOf(entry: TakenSeat): string {
  return `/${isUmpire(entry.seat) ? "desk" : "battle"}/${entry.battle.id}/${entry.seat.id}`;
}

/** A name for this device, for the umpire's list of devices. */
export function deviceName(): string {
  const agent = navigator.userAgent;
  const kind = /iPad|Tablet|Android(?!.*Mobile)/.test(agent) ? "tablet" : /iPhone|Mobile/.test(agent) ? "phone" : "computer";
  const browser = /Firefox/.test(agent) ? "Firefox" : /Edg\//.test(agent) ? "Edge" : /Chrome/.test(agent) ? "Chrome" : /Safari/.test(agent) ? "Safari" : "browser";
  return `${browser} on a ${kind}`;
}

/** Requests of an umpire: by the account's cookie, or by the token of an umpire's seat on this device. */
export const umpire = new Api(() => seats.list.find((entry) => isUmpire(entry.seat))?.token ?? null);

/** Requests without a seat: joining, and the umpire's account by its cookie. */
export const account = new Api(() => null);
