// Orders on their way. Each is kept in the device's store, under the seat, with its key, from the tap until the server
// has answered: neither a hall without Wi-Fi nor a page opened anew loses one, and the key lets each happen once.

import { Problem } from "../api/client";
import type { Order, OrderBody } from "../api/types";

export interface Waiting {
  key: string;
  battle: string;
  label: string;
  order: OrderBody;
  actFor?: string;
  /** The view on which it was decided. */
  tag: string | null;
  at: string;
  /** The view has changed since: whoever gave it must say whether it still stands. */
  isStale?: boolean;
}

export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export const keyOf = (seat: string): string => `umpire.outbox.${seat}`;

/** What one seat has waiting in one battle. Where the store is full or forbidden it lasts as long as the page. */
export class Outbox {
  private readonly seat: string;
  private readonly battle: string;
  private readonly store: Store;
  private list: Waiting[];

  constructor(seat: string, battle: string, store: Store) {
    this.seat = seat;
    this.battle = battle;
    this.store = store;
    this.list = this.stored().filter((each) => each.battle === battle);
  }

  /** Oldest first. */
  get all(): readonly Waiting[] {
    return this.list;
  }

  put(entry: Waiting): void {
    this.list = [...this.list, entry];
    this.write();
  }

  change(key: string, change: Partial<Waiting>): void {
    this.list = this.list.map((each) => (each.key === key ? { ...each, ...change } : each));
    this.write();
  }

  drop(key: string): void {
    this.list = this.list.filter((each) => each.key !== key);
    this.write();
  }

  private stored(): Waiting[] {
    try {
      const found: unknown = JSON.parse(this.store.getItem(keyOf(this.seat)) ?? "[]");
      return Array.isArray(found) ? (found as Waiting[]).filter((each) => each?.key && each.order?.verb) : [];
    } catch {
      return [];
    }
  }

  private write(): void {
    const all = [...this.stored().filter((each) => each.battle !== this.battle), ...this.list];
    try {
      if (all.length) this.store.setItem(keyOf(this.seat), JSON.stringify(all));
      else this.store.removeItem(keyOf(this.seat));
    } catch {
      // No room.
    }
  }
}

export interface CourierEvents {
  send: (entry: Waiting) => Promise<Order>;
  /** It goes out again, for the n-th time. */
  again: (entry: Waiting, attempt: number) => void;
  /** No answer came; it is kept and will go out again. */
  kept: (entry: Waiting) => void;
  /** It will not go out by itself any more: the view on which it was decided is not the present one. */
  stale: (entry: Waiting) => void;
  answered: (entry: Waiting, answer: Order | Problem) => void;
}

export type Given = { order: Order } | { problem: Problem } | { kept: true };

const WAIT_FIRST = 400;
const WAIT_LONGEST = 15_000;
/** How often a "waiting" is taken for one's own earlier request that is still being done. */
const STILL_DONE = 4;

/** Carries a seat's orders to the server one after the other, in the order in which they were given. */
export class Courier {
  private readonly box: Outbox;
  private readonly on: CourierEvents;
  private readonly attempts = new Map<string, number>();
  private readonly waiting = new Map<string, (given: Given) => void>();
  private isBusy = false;
  private isStopped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(box: Outbox, on: CourierEvents) {
    this.box = box;
    this.on = on;
  }

  /** Takes an order along. Says what came of it, or that it is kept because no answer came. */
  give(entry: Waiting): Promise<Given> {
    this.box.put(entry);
    const given = new Promise<Given>((resolve) => this.waiting.set(entry.key, resolve));
    this.wake();
    return given;
  }

  /** The server can be reached again, perhaps: at once what waits. */
  wake(): void {
    clearTimeout(this.timer);
    if (!this.isBusy && !this.isStopped) void this.carry();
  }

  drop(key: string): void {
    this.box.drop(key);
    this.attempts.delete(key);
  }

  /** What was stale stands, on the view that is seen now. */
  renew(key: string, tag: string | null): void {
    this.box.change(key, { tag, isStale: false });
    this.wake();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async carry(): Promise<void> {
    this.isBusy = true;
    try {
      for (;;) {
        const next = this.box.all.find((each) => !each.isStale);
        if (!next || this.isStopped || !(await this.carryOne(next))) return;
      }
    } finally {
      this.isBusy = false;
    }
  }

  /** False if no answer came. */
  private async carryOne(entry: Waiting): Promise<boolean> {
    const attempt = (this.attempts.get(entry.key) ?? 0) + 1;
    this.attempts.set(entry.key, attempt);
    if (attempt > 1) this.on.again(entry, attempt);
    let answer: Order | Problem;
    try {
      answer = await this.on.send(entry);
    } catch (fault) {
      if (!(fault instanceof Problem) || isPassing(fault, attempt)) {
        this.on.kept(entry);
        this.settle(entry, { kept: true });
        // What was given behind it waits behind it, and is told so.
        for (const other of this.box.all) {
          if (!other.isStale && other.key !== entry.key) this.on.kept(other);
          this.settle(other, { kept: true });
        }
        this.timer = setTimeout(() => this.wake(), Math.min(WAIT_LONGEST, WAIT_FIRST * 2 ** (attempt - 1)));
        return false;
      }
      answer = fault;
    }
    if (!this.box.all.some((each) => each.key === entry.key)) return true;
    if (answer instanceof Problem && answer.isStale && !this.waiting.has(entry.key)) {
      this.box.change(entry.key, { isStale: true });
      this.on.stale(entry);
      return true;
    }
    this.drop(entry.key);
    this.on.answered(entry, answer);
    this.settle(entry, answer instanceof Problem ? { problem: answer } : { order: answer });
    return true;
  }

  private settle(entry: Waiting, given: Given): void {
    this.waiting.get(entry.key)?.(given);
    this.waiting.delete(entry.key);
  }
}

function isPassing(problem: Problem, attempt: number): boolean {
  if (problem.kind === "waiting") return attempt < STILL_DONE;
  return [408, 429, 502, 503, 504].includes(problem.status);
}
