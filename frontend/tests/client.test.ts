import { describe, expect, it } from "vitest";

import { Api, Problem, Unreachable, freshKey, type Surroundings } from "../src/api/client";
import { backoff } from "../src/api/live";

interface Call {
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  credentials: string | undefined;
}

function scripted(script: (Response | Error)[], cookie = ""): { around: Surroundings; calls: Call[]; waits: number[] } {
  const calls: Call[] = [];
  const waits: number[] = [];
  const around: Surroundings = {
    fetch: (path, init) => {
      calls.push({
        path,
        headers: init?.headers as Record<string, string>,
        body: init?.body as string | undefined,
        credentials: init?.credentials,
      });
      const next = script.shift();
      if (!next) throw new Error("the script is at its end");
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    wait: (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
    cookie: () => cookie,
  };
  return { around, calls, waits };
}

const ok = (body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status: 200, headers });

describe("acts", () => {
  it("are repeated under the same key with the same body until an answer comes", async () => {
    const { around, calls, waits } = scripted([new TypeError("network"), new Response("", { status: 503 }), ok({ id: "o1" })]);
    const seen: number[] = [];
    const api = new Api(() => "token", around);
    const order = await api.act<{ id: string }>("battles/b/orders", { order: { verb: "Move" } }, { ifMatch: '"t"', onRetry: (n) => seen.push(n) });
    expect(order.id).toBe("o1");
    expect(calls).toHaveLength(3);
    expect(new Set(calls.map((call) => call.headers["Idempotency-Key"])).size).toBe(1);
    expect(new Set(calls.map((call) => call.body)).size).toBe(1);
    expect(calls[0]?.headers).toMatchObject({ Authorization: "Bearer token", "If-Match": '"t"' });
    expect(seen).toEqual([2, 3]);
    expect(waits).toEqual([400, 800]);
  });

  it("get another key each", async () => {
    const { around, calls } = scripted([ok({}), ok({})]);
    const api = new Api(() => "token", around);
    await api.act("x");
    await api.act("x");
    expect(calls[0]?.headers["Idempotency-Key"]).not.toBe(calls[1]?.headers["Idempotency-Key"]);
  });

  it("that were answered, even with no, are not repeated", async () => {
    const refusal = { type: "/problems/refused", title: "Refused", refusals: [{ reason: "The squad has moved." }] };
    const { around, calls } = scripted([new Response(JSON.stringify(refusal), { status: 409 })]);
    const fault = await new Api(() => "t", around).act("x").catch((caught: unknown) => caught);
    expect(fault).toBeInstanceOf(Problem);
    expect((fault as Problem).kind).toBe("refused");
    expect((fault as Problem).reasons).toEqual(["The squad has moved."]);
    expect(calls).toHaveLength(1);
  });

  it("give up in the end and say that nobody answered", async () => {
    const { around, calls } = scripted(Array.from({ length: 5 }, () => new TypeError("network")));
    await expect(new Api(() => "t", around).act("x")).rejects.toBeInstanceOf(Unreachable);
    expect(calls).toHaveLength(5);
  });

  it("without a key are sent once", async () => {
    const { around, calls } = scripted([new TypeError("network")]);
    await expect(new Api(() => "t", around).post("x")).rejects.toBeInstanceOf(Unreachable);
    expect(calls).toHaveLength(1);
  });
});

describe("problems", () => {
  it("say which view was stale and what the tag is now", async () => {
    const { around } = scripted([new Response(JSON.stringify({ type: "/problems/stale" }), { status: 412, headers: { ETag: '"new"' } })]);
    const fault = (await new Api(() => "t", around).get("x").catch((caught: unknown) => caught)) as Problem;
    expect(fault.isStale).toBe(true);
    expect(fault.etag).toBe('"new"');
  });

  it("name the place of a fault and what would be right", async () => {
    const body = { type: "/problems/invalid", errors: [{ pointer: "/path/0", detail: "off the table", right: "0 to 7200" }] };
    const { around } = scripted([new Response(JSON.stringify(body), { status: 422 })]);
    const fault = (await new Api(() => "t", around).get("x").catch((caught: unknown) => caught)) as Problem;
    expect(fault.reasons).toEqual(["/path/0: off the table: 0 to 7200"]);
  });
});

describe("who speaks", () => {
  it("a seat by its token and never by the umpire's cookie", async () => {
    const { around, calls } = scripted([ok({})], "csrftoken=abc");
    await new Api(() => "token", around).post("x");
    expect(calls[0]?.credentials).toBe("omit");
    expect(calls[0]?.headers["X-CSRFToken"]).toBeUndefined();
  });

  it("an umpire by his cookie, with the token against forgery", async () => {
    const { around, calls } = scripted([ok({})], "a=b; csrftoken=abc%3D");
    await new Api(() => null, around).post("x");
    expect(calls[0]?.credentials).toBe("same-origin");
    expect(calls[0]?.headers["X-CSRFToken"]).toBe("abc=");
  });
});

describe("keys", () => {
  it("are UUIDs also where the page is not secure", () => {
    const key = freshKey({ getRandomValues: <T extends ArrayBufferView | null>(array: T): T => crypto.getRandomValues(array as never) as T });
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe("waiting before the stream is opened again", () => {
  it("doubles to half a minute, half of it by chance", () => {
    expect([1, 2, 3, 9].map((n) => backoff(n, () => 1))).toEqual([1000, 2000, 4000, 30000]);
    expect(backoff(3, () => 0)).toBe(2000);
  });
});
