import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Problem, Unreachable } from "../src/api/client";
import type { Order } from "../src/api/types";
import { Courier, type CourierEvents, keyOf, Outbox, type Store, type Waiting } from "../src/state/outbox";

class Shelf implements Store {
  kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}

const entry = (key: string, tag: string | null = '"1"'): Waiting => ({ key, battle: "b", label: key, order: { verb: "Go" }, tag, at: "2026-01-01T12:00:00Z" });
const done = (id: string): Order => ({ id, order: { verb: "Go" }, status: "done" });

/** A server that answers what it is told to, one answer after the other, and remembers what came. */
function server(shelf: Store, answers: (Order | Error)[]): { courier: Courier; box: Outbox; came: string[]; said: string[] } {
  const came: string[] = [];
  const said: string[] = [];
  const box = new Outbox("seat", "b", shelf);
  const on: CourierEvents = {
    send: ({ key, tag }) => {
      came.push(`${key} ${tag}`);
      const answer = answers.shift() ?? new Unreachable();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    again: ({ key }, attempt) => said.push(`again ${key} ${attempt}`),
    kept: ({ key }) => said.push(`kept ${key}`),
    stale: ({ key }) => said.push(`stale ${key}`),
    answered: ({ key }, answer) => said.push(answer instanceof Problem ? `no ${key}` : `yes ${key}`),
  };
  return { courier: new Courier(box, on), box, came, said };
}

const stale = (): Problem => new Problem(412, { type: "/problems/stale" }, null);

describe("orders on their way", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are gone from the store when the server has answered, yes or no", async () => {
    const shelf = new Shelf();
    const { courier, said } = server(shelf, [done("1"), new Problem(409, { type: "/problems/refused" }, null)]);
    expect(await courier.give(entry("a"))).toEqual({ order: done("1") });
    expect(await courier.give(entry("b"))).toMatchObject({ problem: { status: 409 } });
    expect(said).toEqual(["yes a", "no b"]);
    expect(shelf.kept.size).toBe(0);
  });

  it("are kept without an answer, and go out again under the same key, in their order", async () => {
    const { courier, came, said } = server(new Shelf(), [new Unreachable(), new Problem(503, {}, null), done("1"), done("2")]);
    const [a, b] = [courier.give(entry("a")), courier.give(entry("b"))];
    expect(await Promise.all([a, b])).toEqual([{ kept: true }, { kept: true }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(came.map((each) => each[0])).toEqual(["a", "a", "a", "b"]);
    expect(said.filter((each) => each.startsWith("yes"))).toEqual(["yes a", "yes b"]);
  });

  it("outlive the page", async () => {
    const shelf = new Shelf();
    const first = server(shelf, []);
    await first.courier.give(entry("a"));
    first.courier.stop();
    new Outbox("seat", "another battle", shelf).put({ ...entry("x"), battle: "another battle" });
    const { courier, box, came } = server(shelf, [done("1")]);
    expect(box.all.map((each) => each.key)).toEqual(["a"]);
    courier.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(came).toEqual(['a "1"']);
    expect(new Outbox("seat", "another battle", shelf).all).toHaveLength(1);
    expect(new Outbox("seat", "b", shelf).all).toEqual([]);
  });

  it("ask again whoever gave them, if the view has changed while they were kept", async () => {
    const shelf = new Shelf();
    const { courier, came, said, box } = server(shelf, [new Unreachable(), stale(), done("1")]);
    await courier.give(entry("a"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(said.at(-1)).toBe("stale a");
    expect(box.all[0]!.isStale).toBe(true);
    courier.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(came).toHaveLength(2);
    courier.renew("a", '"2"');
    await vi.advanceTimersByTimeAsync(0);
    expect(came.at(-1)).toBe('a "2"');
    expect(said.at(-1)).toBe("yes a");
  });

  it("come back to the hand that gives them, if the view has changed at once", async () => {
    const { courier, box } = server(new Shelf(), [stale()]);
    expect(await courier.give(entry("a"))).toMatchObject({ problem: { status: 412 } });
    expect(box.all).toEqual([]);
  });

  it("are not sent any more once dropped", async () => {
    const { courier, came } = server(new Shelf(), [new Unreachable(), done("1")]);
    await courier.give(entry("a"));
    courier.drop("a");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(came).toHaveLength(1);
  });

  it("are passed over where the store holds something else", () => {
    const shelf = new Shelf();
    for (const text of ["{", "{}", '[null, {"key": 1}]']) {
      shelf.setItem(keyOf("seat"), text);
      expect(new Outbox("seat", "b", shelf).all).toEqual([]);
    }
  });
});
