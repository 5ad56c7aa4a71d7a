// One battle as one seat has it: scene, view, news, questions, orders, messages, and the connection they come over.

import { Api, Problem, freshKey } from "../api/client";
import { Live, type LiveState } from "../api/live";
import type {
  Battle,
  Form,
  LogLine,
  Message,
  NewsItem,
  Odds,
  Options,
  Order,
  OrderBody,
  Place,
  Preview,
  Scene,
  Seat,
  Sync,
  View,
  WaitingQuestion,
} from "../api/types";
import { words } from "../words";
import { isOfferedStill, isUnchangedFor, needsNoLook } from "./again";
import { applied, entriesOf, type LogEntry } from "./news";
import { forgetView, keepView, keptView } from "./kept";
import { Courier, Outbox } from "./outbox";
import { seats } from "./seats.svelte";
import { atOnce, queued, type Told, toldOf } from "./strip";

export type SentState = "sending" | "queued" | "stale" | Order["status"] | "failed";

/** An act of this device: shown from the tap on, whatever the server needs. */
export interface Sent {
  key: string;
  label: string;
  state: SentState;
  attempt: number;
  reasons: string[];
  /** When it was given. */
  at: string;
  id?: string;
  lines: LogLine[];
  takenBack?: boolean;
}

export interface GiveResult {
  /** Its key in the tray. */
  key: string;
  order?: Order;
  problem?: Problem;
  /** No answer yet: the order is kept and goes out by itself. */
  kept?: true;
}

interface Kept {
  at: string;
  battle: Battle;
  scene: Scene;
  view: View;
  etag?: string | null;
  last: number;
}

const LOG_KEPT = 400;
const ORDERS_KEPT = 200;
/** How long the stream may take to bring what an answer says that there is. */
const BEHIND = 1500;

export class BattleState {
  readonly api: Api;
  readonly id: string;
  readonly seatId: string;

  battle = $state.raw<Battle | null>(null);
  scene = $state.raw<Scene | null>(null);
  view = $state.raw<View | null>(null);
  etag = $state.raw<string | null>(null);
  last = $state(0);
  log = $state.raw<LogEntry[]>([]);
  questions = $state.raw<WaitingQuestion[]>([]);
  orders = $state.raw<Order[]>([]);
  messages = $state.raw<Message[]>([]);
  sent = $state.raw<Sent[]>([]);
  connection = $state<LiveState>("connecting");
  updatedAt = $state.raw<Date | null>(null);
  fault = $state<string | null>(null);
  /** The view comes from this device's memory; the server has not answered yet. */
  isOld = $state(false);
  /** What has happened and was not looked at yet, oldest first. */
  told = $state.raw<Told[]>([]);
  /** Counts every change of the view, for what hangs on it (options, previews). */
  version = $state(0);

  private readonly seat: Seat | undefined;
  private live: Live | null = null;
  private catching: Promise<void> | null = null;
  private catchAgain = false;
  private wholeNext = false;
  /** The number of the last change of an order that is known here. */
  private ordersAt: number | null = null;
  /** The number of the newest news that an answer has spoken of. */
  private awaited = 0;
  private readonly outbox: Outbox;
  private readonly courier: Courier;

  constructor(battle: string, seat: Seat | undefined, token: string | null) {
    this.id = battle;
    this.seat = seat;
    this.seatId = seat?.id ?? "account";
    this.api = new Api(() => token);
    this.outbox = new Outbox(this.seatId, battle, localStorage);
    this.courier = new Courier(this.outbox, {
      send: ({ key, order, actFor, tag }) =>
        this.api.act<Order>(`battles/${battle}/orders`, actFor ? { order, for: actFor } : { order }, { key, ifMatch: tag, attempts: 1 }),
      again: ({ key }, attempt) => this.changeSent(key, { state: "sending", attempt }),
      kept: ({ key }) => this.changeSent(key, { state: "queued" }),
      stale: ({ key }) => {
        this.changeSent(key, { state: "stale" });
        void this.catchUp().catch(() => undefined);
      },
      answered: ({ key }, answer) => this.noteAnswer(key, answer),
    });
    this.sent = this.outbox.all
      .map(({ key, label, at, isStale }): Sent => ({ key, label, at, state: isStale ? "stale" : "queued", attempt: 1, reasons: [], lines: [] }))
      .reverse();
  }

  get rules(): Record<string, string> {
    return this.scene?.rules ?? {};
  }

  async start(): Promise<void> {
    this.remember();
    this.live = new Live(this.api, this.id, {
      news: (items) => this.take(items),
      catchUp: () => this.catchUp(),
      state: (state) => (this.connection = state),
      shut: (problem) => this.shut(problem),
    });
    try {
      await this.load();
    } catch (fault) {
      if (fault instanceof Problem && fault.isShut) return this.shut(fault);
      if (fault instanceof Problem && fault.status < 500 && !this.view) {
        this.fault = fault.message;
        return;
      }
      this.connection = "away";
    }
    this.live.start();
  }

  stop(): void {
    this.live?.stop();
    this.courier.stop();
  }

  // Reading

  private async load(): Promise<void> {
    const path = `battles/${this.id}`;
    const [battle, scene] = await Promise.all([this.api.get<Battle>(path), this.api.get<Scene>(`${path}/scene`)]);
    this.battle = battle;
    this.scene = scene;
    await this.wholeView();
    await this.readLog();
  }

  /** The battle's card says whether it is finished, and its record open. */
  async readCard(): Promise<void> {
    this.battle = await this.api.get<Battle>(`battles/${this.id}`).catch(() => this.battle);
  }

  private async wholeView(): Promise<void> {
    const { body, etag } = await this.api.request<{ view: View; news: number }>("GET", `battles/${this.id}/view`);
    this.etag = etag;
    this.show(body.view, body.news);
  }

  private async readLog(): Promise<void> {
    const answer = await this.api.get<{ news: NewsItem[]; last: number }>(
      `battles/${this.id}/news?after=${Math.max(0, this.last - LOG_KEPT)}`,
    );
    this.log = answer.news.flatMap(entriesOf).slice(-LOG_KEPT);
  }

  private show(view: View, last: number): void {
    this.view = view;
    this.last = last;
    this.version += 1;
    this.fresh();
    this.keep();
  }

  private fresh(): void {
    this.updatedAt = new Date();
    this.isOld = false;
    this.fault = null;
  }

  /** Brings this seat up to date in one call; calls made meanwhile are answered by one more. */
  catchUp(): Promise<void> {
    if (this.catching) {
      this.catchAgain = true;
      return this.catching;
    }
    this.catching = (async () => {
      do {
        this.catchAgain = false;
        await this.sync();
      } while (this.catchAgain);
    })().finally(() => (this.catching = null));
    return this.catching;
  }

  private async sync(): Promise<void> {
    if (!this.scene || !this.view || this.isOld) {
      await this.load();
      this.wholeNext = false;
    }
    const tag = encodeURIComponent((this.etag ?? "").replace(/^W\/|"/g, ""));
    const known = this.ordersAt === null ? "" : `&orders=${this.ordersAt}`;
    const answer = await this.api.get<Sync>(`battles/${this.id}/sync?after=${this.last}&tag=${tag}${known}`);
    if (answer.status === "whole" && answer.view) {
      this.show(answer.view, answer.last ?? (typeof answer.news === "number" ? answer.news : this.last));
      await this.readLog();
    } else if (Array.isArray(answer.news) && answer.news.length) this.take(answer.news);
    if (this.wholeNext) {
      this.wholeNext = false;
      await this.wholeView();
      await this.readLog();
    } else if (answer.etag) this.etag = quoted(answer.etag);
    if (answer.questions) this.questions = answer.questions;
    this.noteOrders(answer.orders ?? []);
    if (answer.more_orders) this.catchAgain = true;
    if (answer.messages) this.messages = answer.messages;
    this.fresh();
    this.courier.wake();
  }

  /** Applies news; the newest brings the view's tag. */
  take(items: NewsItem[]): void {
    if (!this.view) return;
    const result = applied(this.view, this.last, items);
    if (result.stale) this.wholeNext = true;
    if (result.taken.length) {
      const tag = result.taken.at(-1)?.etag;
      this.etag = tag ? quoted(tag) : null;
      this.log = [...this.log, ...result.taken.flatMap(entriesOf)].slice(-LOG_KEPT);
      this.told = queued(this.told, result.taken.flatMap((item) => toldOf(item) ?? []));
      this.show(result.view, result.last);
      if (result.taken.some((item) => item.lines?.some((line) => line.kind === "finish"))) void this.readCard();
    }
    if (result.stale) void this.catchUp().catch(() => undefined);
  }

  // Asking

  async options(unit?: string, as?: string): Promise<Options> {
    const query = new URLSearchParams();
    if (unit) query.set("unit", unit);
    if (as) query.set("as", as);
    const answer = await this.api.get<Form[] | Partial<Options>>(`battles/${this.id}/options?${query}`);
    const { forms = [], why = [], subjects = [] } = Array.isArray(answer) ? { forms: answer } : answer;
    return { forms, why, subjects };
  }

  preview(order: OrderBody, signal?: AbortSignal, actFor?: string): Promise<Preview> {
    const body = actFor ? { order, for: actFor } : { order };
    return this.api.post<Preview>(`battles/${this.id}/preview`, body, { ...(signal ? { signal } : {}), attempts: 2 });
  }

  odds(order: OrderBody, signal?: AbortSignal, actFor?: string): Promise<Odds> {
    const body = actFor ? { order, for: actFor } : { order };
    return this.api.post<Odds>(`battles/${this.id}/odds`, body, { ...(signal ? { signal } : {}), attempts: 2 });
  }

  /** What is seen from a place, and the line to another. */
  sight<T>(from: Place, to?: Place): Promise<T> {
    const query = new URLSearchParams({ from: from.join(",") });
    if (to) query.set("to", to.join(","));
    return this.api.get<T>(`battles/${this.id}/sight?${query}`);
  }

  // Acting

  /** Gives an order under one key. The tray shows it at once, and until the server has answered; a refusal or a changed
   * view comes back as a problem. */
  async give(label: string, order: OrderBody, actFor?: string): Promise<GiveResult> {
    const key = freshKey();
    const at = new Date().toISOString();
    this.putSent({ key, label, at, state: "sending", attempt: 1, reasons: [], lines: [] });
    const tag = await this.tag().catch(() => null);
    return { key, ...(await this.courier.give({ key, battle: this.id, label, order, tag, at, ...(actFor ? { actFor } : {}) })) };
  }

  /** Gives what a form without slots offers. An order that needs no look is given once more by itself if the news that it
   * met changed nothing that was decided on. */
  async giveAtOnce(form: Form, actFor?: string): Promise<GiveResult> {
    const order = { verb: form.verb, ...(form.fixed ?? {}) };
    const before = this.view;
    const given = await this.give(form.label, order, actFor);
    if (!given.problem?.isStale || !needsNoLook(form) || !before || !(await this.stands(form, before, actFor))) return given;
    this.dismiss(given.key);
    return this.give(form.label, order, actFor);
  }

  private async stands(form: Form, before: View, actFor: string | undefined): Promise<boolean> {
    try {
      await this.catchUp();
      const { forms } = await this.options(undefined, actFor);
      return !!this.view && !this.questions.length && isUnchangedFor(before, this.view) && isOfferedStill(form, forms);
    } catch {
      return false;
    }
  }

  /** An order that was stale when it arrived is given again, on what the server has now. */
  async giveAnyway(key: string): Promise<void> {
    await this.catchUp().catch(() => undefined);
    const tag = this.etag;
    this.changeSent(key, { state: "sending" });
    this.courier.renew(key, tag);
  }

  private noteAnswer(key: string, answer: Order | Problem): void {
    if (answer instanceof Problem) {
      void this.catchUp().catch(() => undefined);
      this.changeSent(key, { state: "failed", reasons: answer.reasons });
      return;
    }
    this.follow(answer.last);
    this.changeSent(key, {
      state: answer.status,
      id: answer.id,
      lines: answer.lines ?? [],
      reasons: (answer.refusals ?? []).map((refusal) => refusal.reason),
      ...(answer.taken_back ? { takenBack: true } : {}),
    });
    const label = this.sent.find((entry) => entry.key === key)?.label ?? "";
    if (answer.status === "done") this.told = atOnce(this.told, toldOf({ number: answer.last ?? 0, lines: answer.lines ?? [] }) ?? { id: key, text: words.strip.done(label), more: "", at: [], pieces: [] });
  }

  /** What an act has led to comes by the stream, or is asked for where there is none, or where it does not come. */
  private follow(last = 0): void {
    this.awaited = Math.max(this.awaited, last);
    if (this.connection !== "on") void this.catchUp().catch(() => undefined);
    else if (this.isBehind) setTimeout(() => void (this.isBehind && this.catchUp().catch(() => undefined)), BEHIND);
  }

  private get isBehind(): boolean {
    return this.last < this.awaited;
  }

  /** Every other act on this battle: messages, corrections, rewinds. Throws what went wrong. */
  async act<T>(path: string, body: unknown, withTag = false): Promise<T> {
    const ifMatch = withTag ? await this.tag() : null;
    const answer = await this.api.act<T>(path, body, { ifMatch });
    void this.catchUp().catch(() => undefined);
    return answer;
  }

  async answer(question: string, answer: { choices: string[] } | { faces: number[] }): Promise<void> {
    await this.api.act(`battles/${this.id}/questions/${question}/answer`, answer);
    this.questions = this.questions.filter((waiting) => waiting.id !== question);
    this.follow();
  }

  /** What has been told is known, or its time is over: the next is told. */
  heard(id: string): void {
    this.told = this.told.filter((each) => each.id !== id);
  }

  async withdraw(order: string): Promise<void> {
    await this.act(`orders/${order}/withdraw`, {});
  }

  /** Takes an entry out of the tray; one that still waits is not sent any more. */
  dismiss(key: string): void {
    this.courier.drop(key);
    this.sent = this.sent.filter((entry) => entry.key !== key);
  }

  /** What is done has been read when its giver goes on: the log keeps it. */
  tidy(): void {
    if (this.sent.some(isOver)) this.sent = this.sent.filter((entry) => !isOver(entry));
  }

  /** The tag of the view that is on the screen. */
  async tag(): Promise<string | null> {
    if (!this.etag || this.isBehind) await this.catchUp();
    return this.etag;
  }

  private putSent(entry: Sent): void {
    this.sent = [entry, ...this.sent].slice(0, 20);
  }

  private changeSent(key: string, change: Partial<Sent>): void {
    this.sent = this.sent.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
  }

  /** Takes in the orders that have changed. */
  private noteOrders(orders: Order[]): void {
    this.ordersAt = Math.max(this.ordersAt ?? 0, ...orders.map((order) => order.changed ?? 0));
    if (!orders.length) return;
    this.orders = [...this.orders.filter((known) => !orders.some((order) => order.id === known.id)), ...orders].slice(-ORDERS_KEPT);
    const states = new Map(orders.map((order) => [order.id, order]));
    this.sent = this.sent.map((entry) => {
      const order = entry.id ? states.get(entry.id) : undefined;
      if (!order) return entry;
      return {
        ...entry,
        state: order.status,
        takenBack: order.taken_back ?? false,
        reasons: order.refusals?.length ? order.refusals.map((refusal) => refusal.reason) : entry.reasons,
        lines: order.lines?.length ? order.lines : entry.lines,
      };
    });
  }

  // What this device remembers, for when the hall's Wi-Fi is down

  private keep(): void {
    if (!this.battle || !this.scene || !this.view) return;
    const kept: Kept = {
      at: new Date().toISOString(),
      battle: this.battle,
      scene: this.scene,
      view: this.view,
      etag: this.etag,
      last: this.last,
    };
    keepView(this.seat, kept);
  }

  private remember(): void {
    const kept = keptView<Kept>(this.seat);
    if (kept?.battle?.id !== this.id) return;
    this.battle = kept.battle;
    this.scene = kept.scene;
    this.view = kept.view;
    this.etag = kept.etag ?? null;
    this.last = kept.last;
    this.updatedAt = new Date(kept.at);
    this.isOld = true;
  }

  /** The seat was taken away, or what it sat at is gone: nothing of it stays, on the screen or on this device. */
  private shut(problem: Problem): void {
    this.fault = problem.message;
    this.connection = "shut";
    this.view = null;
    this.scene = null;
    this.log = [];
    if (!this.seat) return;
    forgetView(this.seat.id);
    // A token that is good no longer never is again.
    if (problem.status === 401) seats.forget(this.seat.id);
  }
}

const isOver = (entry: Sent): boolean => ["done", "withdrawn", "ended"].includes(entry.state) && !entry.reasons.length && !entry.takenBack;

/** What went wrong, in words for a person. */
export function reasonsOf(fault: unknown): string[] {
  return fault instanceof Problem ? fault.reasons : [words.unreachable];
}

function quoted(tag: string): string {
  return tag.startsWith('"') ? tag : `"${tag}"`;
}
