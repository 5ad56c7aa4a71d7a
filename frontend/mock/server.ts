// Stands in for the server while the client is being made: `npm run mock`. Keeps everything in memory, knows no rule.

import type { IncomingMessage, ServerResponse } from "node:http";

import type { Plugin } from "vite";

import { forms, lines, playerQuestions, playerView, truthView } from "./battle.ts";
import { scene } from "./ground.ts";

type Json = Record<string, unknown>;

const player = { id: "s1", name: "The platoon", role: "player", commands: ["platoon"] };
const umpire = { id: "s0", name: "Umpire", role: "umpire", commands: [] };
const battle = { id: "demo", title: "Patrol to the Ford", system: "fireforce", status: "running" };
const options = [
  { name: "mode", label: "What stands for the hidden force?", kind: "choice", choices: [{ id: "cards", label: "Cards on the table", note: "face down, half of them dummies" }, { id: "map", label: "The umpire's map", note: "nothing on the table until it is seen" }], default: "cards" },
  { name: "dice", label: "Who rolls the dice?", kind: "choice", choices: [{ id: "server", label: "The server" }, { id: "typed", label: "We do, and type them in" }], default: "server" },
  { name: "gamble", label: "The desperate gamble may be tried", kind: "flag", default: true },
];

const news = lines.map((line, i) => ({ number: i + 1, kind: "news", at: new Date(Date.now() - (lines.length - i) * 90_000).toISOString(), lines: [line], patch: {} as Json }));
let questions = [...playerQuestions];
const orders: Json[] = [];
const messages: Json[] = [{ id: "m1", sender: "The platoon", to: "umpire", text: "Request smoke on the ford.", status: "sent", sent: 4, due: 5 }];
const streams = new Set<ServerResponse>();
let depth = 41;

function say(text: string, patch: Json = {}): void {
  const item = { number: news.length + 1, kind: "news", at: new Date().toISOString(), lines: [{ text, kind: "order", faces: [4], modifiers: [], rule: "fireforce small-arms" }], patch };
  news.push(item as never);
  for (const stream of streams) stream.write(`event: news\nid: ${item.number}\ndata: ${JSON.stringify(item)}\n\n`);
}

const qr = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 21 21"><rect width="21" height="21" fill="#fff"/>${Array.from({ length: 150 }, (_, i) => `<rect x="${(i * 7) % 19 + 1}" y="${(i * 11) % 19 + 1}" width="1" height="1"/>`).join("")}</svg>`;
const invites = [
  { ...umpire, code: "UMP00-00000", link: "http://localhost:5173/join/UMP0000000", qr },
  { ...player, code: "KXM4T-9PQRW", link: "http://localhost:5173/join/KXM4T9PQRW", qr, devices: [{ label: "Chrome on a tablet", created: "2024-05-01T19:00:00Z" }] },
  { id: "s2", name: "Watching", role: "observer", commands: [], revoked: true },
];

function answer(method: string, path: string, query: URLSearchParams, body: Json, isUmpire: boolean): [number, unknown] {
  const you = isUmpire ? umpire : player;
  const tail = path.replace(/^battles\/demo\/?/, "");
  if (path === "systems") return [200, [{ system: "fireforce", title: "FireForce", version: 1 }]];
  if (path === "scenarios") return [200, [{ system: "fireforce", key: "patrol-to-the-ford", title: "Patrol to the Ford", sides: ["Government", "Guerrillas"], length: "12 turns, an evening", teaches: "cards, searching, ambush", author: "the project" }]];
  if (path.startsWith("scenarios/")) return [200, { system: "fireforce", key: "patrol-to-the-ford", title: "Patrol to the Ford", options, picture: scene }];
  if (path === "session") return method === "GET" ? [200, { kind: "account", name: "umpire" }] : [200, { kind: "account", name: "umpire" }];
  if (path === "join") questions = [...playerQuestions];
  if (path === "join") return [201, { token: String(body["code"]).startsWith("UMP") ? "umpire" : "player", seat: String(body["code"]).startsWith("UMP") ? umpire : player, battle }];
  if (path === "battles") return method === "POST" ? [201, { battle, seats: invites }] : [200, [{ ...battle, you }]];
  if (!path.startsWith("battles/demo") && !/^(?:orders|seats|messages)\//.test(path)) return [404, { type: "/problems/not-found", title: "There is nothing here.", detail: "It does not exist, or it is not yours." }];
  switch (tail) {
    case "":
      return [200, { ...battle, you }];
    case "scene":
      return [200, scene];
    case "view":
      return [200, { view: isUmpire && !query.get("as") ? truthView : playerView, news: news.length, now: new Date().toISOString() }];
    case "options": {
      const unit = query.get("unit") ?? "";
      const group = playerView.pieces?.[unit]?.group ?? unit;
      return [200, { forms: forms[group] ?? [], subjects: unit ? [] : ["one", "two"] }];
    }
    case "preview":
      return [200, (body["order"] as Json)["verb"] === "Move" ? { cost: "4.6″ of 6″", notes: ["bad going after 2.1″"], warnings: ["The last inch can be seen from Monkey wood."], path: [] } : { modifiers: [{ value: 8, reason: "fire points: 1 light machine gun, 1 assault rifle", rule: "fireforce small-arms" }, { value: -4, reason: "halved: target in soft cover", rule: "fireforce small-arms" }, { value: 4, reason: "doubled: first shot from ambush", rule: "fireforce small-arms", status: "house" }], notes: ["Range 15.2″."] }];
    case "odds":
      return [200, { fates: [{ piece: "e1", what: "casualty", chance: "52/100" }, { piece: "e1", what: "pinned", chance: "31/100" }, { piece: "e1", what: "unharmed", chance: "17/100" }, { piece: "e2", what: "casualty", chance: "1/250" }], exact: true, branches: 1813, assumes: ["the guerrillas allocate hits to riflemen first"] }];
    case "orders": {
      if (method === "GET") return [200, orders];
      const order = { id: `o${orders.length + 1}`, order: body["order"], status: "done", created: new Date().toISOString(), lines: [] };
      orders.push(order);
      say(`${(body["order"] as Json)["verb"]}: it was done.`);
      return [201, order];
    }
    case "questions":
      return [200, isUmpire ? [] : questions];
    case "news":
      return [200, { news: news.filter((item) => item.number > Number(query.get("after"))), last: news.length }];
    case "sync":
      return [200, { status: "current", etag: "tag", last: news.length, now: new Date().toISOString(), news: news.filter((item) => item.number > Number(query.get("after"))), questions: isUmpire ? [] : questions, orders, messages }];
    case "ticket":
      return [200, { ticket: "t", expires: "", url: "/live/?ticket=t" }];
    case "messages":
      if (method === "POST") messages.push({ id: `m${messages.length + 1}`, sender: you.name, status: "sent", sent: 4, ...body });
      return [200, messages];
    case "seats":
      return [200, invites.map(({ ...seat }) => ({ ...seat, code: "", link: "", qr: "" }))];
    case "desk":
      return [200, {
        waiting: [
          { id: "w1", kind: "question", command: "cell", since: new Date(Date.now() - 240_000).toISOString(), pieces: ["g1"], question: { kind: "ambush", prompt: "Spring the ambush?", choices: [{ id: "spring", label: "Spring it", note: "first shot doubled" }, { id: "hold", label: "Hold fire" }], default: ["hold"], rule: "fireforce small-arms" } },
          { id: "w2", kind: "order", seat: "The platoon", order: { verb: "Fire" }, since: new Date(Date.now() - 120_000).toISOString(), pieces: ["g5"] },
          { id: "w3", kind: "message", sender: "platoon", to: "cell", text: "Request smoke on the ford.", since: new Date(Date.now() - 60_000).toISOString() },
          { id: "w4", kind: "absent", seat: "The platoon", since: new Date(Date.now() - 3_600_000).toISOString() },
        ],
        beliefs: {},
        ledger: ledger(10),
      }];
    case "ledger":
      return [200, { entries: ledger(Number(query.get("limit") ?? 50)), depth }];
    case "rewind":
      depth = Number(body["depth"]);
      say("The umpire took something back.");
      return [200, { done: true }];
    case "corrections":
      depth += 1;
      say("The umpire set something right.");
      return [200, { done: true }];
    case "plans/route":
      return [200, { path: [[4350, 3500], [4100, 3650], [3800, 3900], [3300, 4000]], exposure: "seen for 3.1″ of 14″ by 2 men" }];
    case "plans":
      return [200, { done: true }];
  }
  if (/^questions\/.+\/answer$/.test(tail)) {
    questions = questions.filter((question) => !tail.includes(question.id));
    say("The hits are taken.");
    return [200, { done: true }];
  }
  if (/^seats\/.+\/code$/.test(path)) return [200, invites[1]];
  return [200, { done: true }];
}

function ledger(limit: number): Json[] {
  const texts = ["Phase: firing", "Order of The platoon: Fire", "Dice: d20 for 6 fire points, 13", "Two hits on 2 Section", "Moss is a casualty", "Kerr is pinned", "Plan of Cell B carried: 4.1″", "The platoon hears men moving", "Order of The platoon: Move", "1 Section moves"];
  return Array.from({ length: Math.min(limit, depth) }, (_, i) => ({ depth: depth - i, line: 1, kind: i % 3 === 1 ? "ordered" : i % 3 === 2 ? "thrown" : "happened", text: texts[i % texts.length], cut: i % 3 === 1, at: new Date(Date.now() - i * 40_000).toISOString(), working: i % 3 === 2 ? { text: "", faces: [13], modifiers: [{ value: 6, reason: "fire points", rule: "fireforce small-arms" }] } : undefined }));
}

function handle(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const url = new URL(request.url ?? "/", "http://mock");
  if (url.pathname.startsWith("/live/")) {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write("retry: 2000\n\n");
    streams.add(response);
    request.on("close", () => streams.delete(response));
    return;
  }
  if (!url.pathname.startsWith("/api/v1/")) return next();
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    const isUmpire = (request.headers.authorization ?? "").includes("umpire");
    const [status, body] = answer(request.method ?? "GET", url.pathname.slice(8).replace(/\/$/, ""), url.searchParams, text ? (JSON.parse(text) as Json) : {}, isUmpire);
    response.writeHead(status, { "Content-Type": "application/json", ETag: '"tag"' });
    response.end(JSON.stringify(body));
  });
}

export function mockServer(): Plugin {
  return { name: "umpire-mock", configureServer: (server) => void server.middlewares.use(handle) };
}
