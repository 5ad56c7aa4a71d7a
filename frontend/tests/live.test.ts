import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Api } from "../src/api/client";
import { Live, type LiveState, truthOf } from "../src/api/live";

class Stream {
  static readonly OPEN = 1;
  static made: Stream[] = [];
  readyState = 1;
  private readonly on = new Map<string, (event: unknown) => void>();
  constructor() {
    Stream.made.push(this);
  }
  addEventListener(kind: string, what: (event: unknown) => void): void {
    this.on.set(kind, what);
  }
  close(): void {
    this.readyState = 2;
  }
  happens(kind: string, event: unknown = {}): void {
    this.on.get(kind)?.(event);
  }
}

describe("what is said of the connection", () => {
  it("is that a stream lives, whatever the browser thinks of its network", () => {
    expect(truthOf("on", false)).toBe("on");
    expect(truthOf("polling", false)).toBe("polling");
    expect(truthOf("away", false)).toBe("offline");
    expect(truthOf("connecting", false)).toBe("offline");
    expect(truthOf("away", true)).toBe("away");
  });
});

describe("the event stream", () => {
  const page = new Map<string, () => void>();
  let states: LiveState[];
  let catchUp: () => Promise<void>;

  beforeEach(async () => {
    vi.useFakeTimers();
    vi.stubGlobal("EventSource", Stream);
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("document", { visibilityState: "visible", addEventListener: () => undefined });
    vi.stubGlobal("addEventListener", (kind: string, what: () => void) => page.set(kind, what));
    Stream.made = [];
    states = [];
    catchUp = () => Promise.resolve();
    const api = { post: () => Promise.resolve({ ticket: "t", url: "/live/" }) } as unknown as Api;
    const live = new Live(api, "b", { news: () => undefined, catchUp: () => catchUp(), state: (state) => states.push(state), shut: () => undefined });
    live.start();
    await vi.advanceTimersByTimeAsync(1);
    Stream.made[0]!.happens("open");
    await vi.advanceTimersByTimeAsync(1);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("stays live where the browser believes to be offline and the server answers", async () => {
    page.get("offline")!();
    await vi.advanceTimersByTimeAsync(10);
    expect(states.at(-1)).toBe("on");
    expect(Stream.made).toHaveLength(1);
  });

  it("is not called live any more when the server does not answer", async () => {
    catchUp = () => Promise.reject(new Error("gone"));
    page.get("offline")!();
    await vi.advanceTimersByTimeAsync(10);
    expect(states.at(-1)).toBe("away");
    expect(Stream.made[0]!.readyState).toBe(2);
  });

  it("is doubted while an answer is late, and live again when it comes", async () => {
    let answer = (): void => undefined;
    catchUp = () => new Promise((resolve) => (answer = resolve));
    Stream.made[0]!.happens("wake");
    await vi.advanceTimersByTimeAsync(6000);
    expect(states.at(-1)).toBe("away");
    answer();
    await vi.advanceTimersByTimeAsync(1);
    expect(states.at(-1)).toBe("on");
  });

  it("asks for nothing after news, and when it is woken", async () => {
    const asked = vi.fn(() => Promise.resolve());
    catchUp = asked;
    Stream.made[0]!.happens("news", { data: '{"number": 1}' });
    await vi.advanceTimersByTimeAsync(10);
    expect(asked).not.toHaveBeenCalled();
    Stream.made[0]!.happens("wake");
    await vi.advanceTimersByTimeAsync(10);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("is asked when it has been silent for long", async () => {
    const asked = vi.fn(() => Promise.resolve());
    catchUp = asked;
    await vi.advanceTimersByTimeAsync(65_000);
    expect(asked.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect(states.at(-1)).toBe("on");
  });
});
