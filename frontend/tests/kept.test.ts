import { beforeEach, describe, expect, it } from "vitest";

import type { Seat } from "../src/api/types";
import { forgetAll, forgetView, keepView, keptView, sweep } from "../src/state/kept";
import { keyOf } from "../src/state/outbox";

class Memory implements Storage {
  private readonly kept = new Map<string, string>();
  get length(): number {
    return this.kept.size;
  }
  clear(): void {
    this.kept.clear();
  }
  getItem(name: string): string | null {
    return this.kept.get(name) ?? null;
  }
  key(n: number): string | null {
    return [...this.kept.keys()][n] ?? null;
  }
  removeItem(name: string): void {
    this.kept.delete(name);
  }
  setItem(name: string, value: string): void {
    this.kept.set(name, value);
  }
}

const player: Seat = { id: "p", name: "Red", role: "player", commands: ["red"] };
const umpire: Seat = { id: "u", name: "Umpire", role: "umpire", commands: [] };

describe("what a device keeps of a seat", () => {
  let store: Memory;
  beforeEach(() => {
    store = new Memory();
  });

  it("is a player's last view, until the seat is left", () => {
    keepView(player, { at: "now" }, store);
    expect(keptView(player, store)).toEqual({ at: "now" });
    store.setItem(keyOf("p"), "[]");
    forgetView("p", store);
    expect(keptView(player, store)).toBeNull();
    expect(store.length).toBe(1);
    forgetAll("p", store);
    expect(store.length).toBe(0);
  });

  it("is never the truth: neither an umpire's view nor an account's", () => {
    keepView(umpire, { secret: true }, store);
    keepView(undefined, { secret: true }, store);
    expect(store.length).toBe(0);
    store.setItem("umpire.last.u", '{"secret":true}');
    expect(keptView(umpire, store)).toBeNull();
  });

  it("goes with the seat, also what an earlier client has kept", () => {
    for (const seat of ["u", "p", "gone", "account"]) {
      store.setItem(`umpire.last.${seat}`, "{}");
      store.setItem(keyOf(seat), "[]");
    }
    store.setItem("umpire.seats", "[]");
    sweep([player, umpire], store);
    const left = Array.from({ length: store.length }, (_, n) => store.key(n)).sort();
    expect(left).toEqual([keyOf("account"), keyOf("p"), keyOf("u"), "umpire.last.p", "umpire.seats"].sort());
  });
});
