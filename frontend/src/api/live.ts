// The event stream of a seat: a ticket, news as it comes, and patience where the Wi-Fi is poor.

import type { Api } from "./client";
import { Problem } from "./client";
import type { NewsItem } from "./types";

export type LiveState = "connecting" | "on" | "away" | "polling" | "shut";

/** What may be said of the connection. A stream that lives is the truth, whatever the browser thinks of its network: a
 * club's router often leads nowhere else. */
export function truthOf(state: LiveState, isOnline: boolean): LiveState | "offline" {
  if (state === "on" || state === "polling" || state === "shut" || isOnline) return state;
  return "offline";
}

export interface LiveEvents {
  /** A news item came, or several; with it nothing else need be asked for. */
  news: (items: NewsItem[]) => void;
  /** Something changed that is no news, or may have while we were away: catch up. Resolves when caught up. */
  catchUp: () => Promise<void>;
  state: (state: LiveState) => void;
  /** The seat was revoked or its battle is gone. */
  shut: (problem: Problem) => void;
}

/** Waiting before attempt n (from 1): doubling from a second to half a minute, with a random part so that a hall full of
 * tablets does not come back at one moment. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(30_000, 1000 * 2 ** (attempt - 1));
  return Math.round(most / 2 + (random() * most) / 2);
}

const SILENCE = 30_000;
/** How long an answer may take before the connection is doubted. */
const LATE = 5000;
const POLL_AFTER = 3;

export class Live {
  private source: EventSource | null = null;
  private timer = 0;
  private watch = 0;
  private attempt = 0;
  private running = false;
  private readonly api: Api;
  private readonly battle: string;
  private readonly on: LiveEvents;

  constructor(api: Api, battle: string, on: LiveEvents) {
    this.api = api;
    this.battle = battle;
    this.on = on;
  }

  start(): void {
    this.running = true;
    document.addEventListener("visibilitychange", this.seen);
    addEventListener("online", this.seen);
    addEventListener("offline", this.doubted);
    void this.open();
  }

  stop(): void {
    this.running = false;
    document.removeEventListener("visibilitychange", this.seen);
    removeEventListener("online", this.seen);
    removeEventListener("offline", this.doubted);
    this.drop();
  }

  private readonly seen = (): void => {
    if (document.visibilityState !== "visible") return;
    this.attempt = 0;
    if (this.source?.readyState === EventSource.OPEN) this.ask();
    else this.again(0);
  };

  /** The browser thinks that its network is gone: asking the server tells whether it is. */
  private readonly doubted = (): void => {
    if (this.source?.readyState === EventSource.OPEN) this.ask();
  };

  /** Catches up over a stream that seems to live; if no answer comes it does not. */
  private ask(): void {
    const source = this.source;
    const isLate = window.setTimeout(() => this.on.state("away"), LATE);
    void this.on
      .catchUp()
      .then(() => {
        if (source && source === this.source && source.readyState === EventSource.OPEN) this.on.state("on");
      })
      .catch(() => {
        if (!this.running || source !== this.source) return;
        this.on.state("away");
        this.again();
      })
      .finally(() => clearTimeout(isLate));
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.source?.close();
    this.source = null;
  }

  private again(after?: number): void {
    if (!this.running) return;
    this.drop();
    this.attempt += after === undefined ? 1 : 0;
    this.timer = window.setTimeout(() => void this.open(), after ?? backoff(Math.max(1, this.attempt)));
  }

  private async open(): Promise<void> {
    if (!this.running) return;
    this.drop();
    if (this.attempt === 0) this.on.state("connecting");
    try {
      // First what was missed, then the stream: a tablet in a hall that lets no stream through still plays.
      await this.on.catchUp();
      if (this.attempt >= POLL_AFTER) this.on.state("polling");
      const { url } = await this.api.post<{ ticket: string; url: string }>(`battles/${this.battle}/ticket`);
      if (!this.running) return;
      this.listen(url);
    } catch (fault) {
      if (fault instanceof Problem && fault.isShut) {
        this.running = false;
        this.drop();
        this.on.state("shut");
        this.on.shut(fault);
        return;
      }
      this.on.state("away");
      this.again();
    }
  }

  private listen(url: string): void {
    const source = new EventSource(url);
    this.source = source;
    let opened = false;
    source.addEventListener("open", () => {
      opened = true;
      this.attempt = 0;
      this.on.state("on");
      // What happened between catching up and now.
      this.ask();
      this.alive();
    });
    source.addEventListener("news", (event) => {
      this.alive();
      try {
        this.on.news([JSON.parse((event as MessageEvent<string>).data) as NewsItem]);
      } catch {
        this.ask();
      }
    });
    source.addEventListener("wake", () => {
      this.alive();
      this.ask();
    });
    source.addEventListener("error", () => {
      // A ticket is good for one stream: ask for a new one rather than let the browser repeat the old address.
      if (!opened && this.attempt < POLL_AFTER) this.on.state("connecting");
      else this.on.state(this.attempt >= POLL_AFTER ? "polling" : "away");
      this.again();
    });
  }

  /** Heartbeats are comments that a page cannot see, so a quiet stream is asked once in a while. */
  private alive(): void {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(() => {
      this.ask();
      this.alive();
    }, SILENCE);
  }
}
