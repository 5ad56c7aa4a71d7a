// Requests to the server: tokens, problems in words, and acts that are repeated under one key until an answer comes.

import type { Refusal } from "./types";

export interface ProblemBody {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  refusals?: Refusal[];
  errors?: { pointer?: string; detail?: string; right?: string }[];
  etag?: string;
}

/** The server said no, and why. */
export class Problem extends Error {
  readonly status: number;
  readonly kind: string;
  readonly body: ProblemBody;
  readonly etag: string | null;

  constructor(status: number, body: ProblemBody, etag: string | null) {
    super(body.detail || body.title || `HTTP ${status}`);
    this.status = status;
    this.body = body;
    this.kind = (body.type ?? "").split("/").filter(Boolean).pop() ?? "";
    this.etag = body.etag ?? etag;
  }

  /** What is wrong, one reason a line. */
  get reasons(): string[] {
    const refusals = (this.body.refusals ?? []).map((refusal) => refusal.reason);
    const errors = (this.body.errors ?? []).map((error) =>
      [error.pointer, error.detail, error.right].filter(Boolean).join(": "),
    );
    const all = [...refusals, ...errors];
    return all.length ? all : [this.message];
  }

  /** The seat was revoked, or what is asked for is not there for it. */
  get isShut(): boolean {
    return [401, 403, 404].includes(this.status);
  }

  get isStale(): boolean {
    return this.status === 412 || this.kind === "stale" || this.status === 428;
  }
}

/** No answer came, however often we asked. */
export class Unreachable extends Error {}

export interface Reply<T> {
  status: number;
  body: T;
  etag: string | null;
  replayed: boolean;
}

export interface Ask {
  body?: unknown;
  /** Idempotency key of an act; the same key goes out with every repetition. */
  key?: string;
  ifMatch?: string | null;
  signal?: AbortSignal;
  /** Called before each repetition, with its number from 2 on. */
  onRetry?: (attempt: number) => void;
  /** How often at most; reads once by default, acts five times. */
  attempts?: number;
}

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

export interface Surroundings {
  fetch: Fetch;
  wait: (milliseconds: number) => Promise<void>;
  cookie: () => string;
}

const browser: Surroundings = {
  fetch: (input, init) => fetch(input, init),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  cookie: () => document.cookie,
};

const WAIT_FIRST = 400;
const WAIT_LONGEST = 6000;
const ANSWER_WITHIN = 20000;
const PASSING = new Set([502, 503, 504]);

export class Api {
  readonly base: string;
  private readonly token: () => string | null;
  private readonly around: Surroundings;

  constructor(token: () => string | null, around: Surroundings = browser, base = "/api/v1/") {
    this.token = token;
    this.around = around;
    this.base = base;
  }

  async get<T>(path: string, ask: Ask = {}): Promise<T> {
    return (await this.request<T>("GET", path, ask)).body;
  }

  async post<T>(path: string, body: unknown = {}, ask: Ask = {}): Promise<T> {
    return (await this.request<T>("POST", path, { ...ask, body })).body;
  }

  /** An act: goes out under one key until it is answered. */
  async act<T>(path: string, body: unknown = {}, ask: Ask = {}): Promise<T> {
    return (await this.request<T>("POST", path, { key: freshKey(), ...ask, body })).body;
  }

  async request<T>(method: string, path: string, ask: Ask = {}): Promise<Reply<T>> {
    const attempts = ask.attempts ?? (ask.key ? 5 : method === "GET" ? 2 : 1);
    let lastFault: unknown;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (attempt > 1) {
        ask.onRetry?.(attempt);
        await this.around.wait(Math.min(WAIT_LONGEST, WAIT_FIRST * 2 ** (attempt - 2)));
      }
      let response: Response;
      try {
        response = await this.once(method, path, ask);
      } catch (fault) {
        if (ask.signal?.aborted) throw fault;
        lastFault = fault;
        continue;
      }
      if (PASSING.has(response.status) && attempt < attempts) {
        lastFault = new Problem(response.status, {}, null);
        continue;
      }
      return await read<T>(response);
    }
    if (lastFault instanceof Problem) throw lastFault;
    throw new Unreachable(lastFault instanceof Error ? lastFault.message : "no answer");
  }

  private once(method: string, path: string, ask: Ask): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json" };
    const token = this.token();
    if (token) headers["Authorization"] = `Bearer ${token}`;
    else if (method !== "GET") {
      const match = /(?:^|;\s*)csrftoken=([^;]+)/.exec(this.around.cookie());
      if (match?.[1]) headers["X-CSRFToken"] = decodeURIComponent(match[1]);
    }
    if (ask.key) headers["Idempotency-Key"] = ask.key;
    if (ask.ifMatch) headers["If-Match"] = ask.ifMatch;
    const init: RequestInit = { method, headers, cache: "no-store" };
    // With a token the cookie of an umpire who uses the same browser must not speak for the seat.
    init.credentials = token ? "omit" : "same-origin";
    if (ask.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(ask.body);
    }
    const limit = AbortSignal.timeout(ANSWER_WITHIN);
    init.signal = ask.signal ? anySignal(ask.signal, limit) : limit;
    return this.around.fetch(this.base + path.replace(/^\//, ""), init);
  }
}

async function read<T>(response: Response): Promise<Reply<T>> {
  const text = await response.text();
  let body: unknown = null;
  if (text) {
    try {
      body = JSON.parse(text);
    } catch {
      body = null;
    }
  }
  const etag = response.headers.get("ETag");
  if (!response.ok) {
    throw new Problem(response.status, (body ?? { title: response.statusText }) as ProblemBody, etag);
  }
  return {
    status: response.status,
    body: body as T,
    etag,
    replayed: response.headers.get("Idempotent-Replayed") === "true",
  };
}

function anySignal(first: AbortSignal, second: AbortSignal): AbortSignal {
  if ("any" in AbortSignal) return AbortSignal.any([first, second]);
  return first;
}

/** A random UUID (version 4). Browsers offer `crypto.randomUUID` only over https, and a club plays over plain http. */
export function freshKey(source: Pick<Crypto, "getRandomValues"> & Partial<Pick<Crypto, "randomUUID">> = crypto): string {
  if (typeof source.randomUUID === "function") return source.randomUUID();
  const bytes = source.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
