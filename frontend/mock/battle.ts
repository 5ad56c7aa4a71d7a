// A FireForce battle in its fourth turn, as a player's seat and as the umpire's desk have it.

import type { Contact, Form, Group, LogLine, Piece, Place, Plan, View, WaitingQuestion } from "../src/api/types";
import { blob } from "./ground.ts";

const names: Record<string, string[]> = {
  one: ["Cpl Adams", "L/Cpl Boyle", "Carter", "Dunn", "Evans", "Frost", "Gunn"],
  two: ["Cpl Harris", "L/Cpl Irwin", "Jones", "Kerr", "Lamb", "Moss", "Nash"],
  hq: ["Lt Osborne", "Sgt Price", "Quinn", "Reed", "Shaw", "Todd"],
};
const title: Record<string, string> = { one: "1 Section", two: "2 Section", hq: "Platoon HQ" };
const centre: Record<string, Place> = { one: [2650, 2720], two: [2350, 1750], hq: [1950, 2480] };
const spread: Place[] = [[0, 0], [120, 90], [-130, 80], [210, -70], [-220, -60], [60, -170], [-60, 200]];

const pieces: Record<string, Piece> = {};
const groups: Record<string, Group> = {};
for (const [key, men] of Object.entries(names)) {
  const ids = men.map((_, i) => `${key}${i}`);
  groups[key] = {
    name: title[key]!,
    command: "platoon",
    pieces: ids,
    facts: { motivation: key === "one" ? "good morale" : key === "two" ? "fair" : "not rolled", quality: "trained" },
    marks: key === "two" ? [{ key: "under_fire", label: "under fire" }] : [],
  };
  men.forEach((label, i) => {
    const [dx, dy] = spread[i % spread.length]!;
    const [cx, cy] = centre[key]!;
    const gunner = i === 2;
    pieces[ids[i]!] = {
      kind: "figure",
      side: "regulars",
      command: "platoon",
      own: true,
      at: [cx + dx, cy + dy],
      radius: 25,
      label,
      group: key,
      marks: [
        ...(key === "two" && i === 3 ? [{ key: "pinned", label: "pinned by fire" }] : []),
        ...(key === "two" && i === 5 ? [{ key: "casualty", label: "casualty" }] : []),
        ...(key === "one" ? [{ key: "moved", label: "moved" }] : []),
        ...(key === "two" && gunner ? [{ key: "fired", label: "fired" }] : []),
      ],
      facts: {
        weapon: gunner ? "light machine gun" : i === 0 ? "submachine gun" : "assault rifle",
        quality: "trained",
        role: i === 0 ? "leader" : i === 1 ? "assistant" : gunner ? "gunner" : "rifleman",
        ...(i === 0 ? { motivation_rating: "+1" } : {}),
        status: key === "two" && i === 5 ? "casualty" : "fit",
      },
      may_act: key !== "hq",
    };
  });
}

const cards: [string, Place][] = [["k1", [2300, 1000]], ["k2", [4650, 1900]], ["k3", [5300, 2650]], ["k4", [4500, 3900]], ["k5", [3050, 1750]], ["k6", [6300, 3900]]];
for (const [id, at] of cards) {
  pieces[id] = { kind: "card", side: "guerrillas", at, label: `Card ${id.slice(1)}`, marks: [], facts: {}, may_act: false };
}
for (const [id, at] of [["e1", [3050, 1250]], ["e2", [3180, 1330]], ["e3", [2980, 1140]]] as [string, Place][]) {
  pieces[id] = {
    kind: "figure",
    side: "guerrillas",
    at,
    radius: 25,
    label: "Guerrilla",
    marks: id === "e2" ? [{ key: "fired", label: "fired" }] : [],
    facts: { weapon: "assault rifle" },
    may_act: false,
  };
}
pieces["p1"] = { kind: "figure", side: "peasants", at: [5100, 2600], radius: 25, label: "Peasant", marks: [], facts: {}, may_act: false };

const contacts: Record<string, Contact> = {
  e1: { kind: "figure", at: [3050, 1250], status: "in_sight", since: 4, seen: 4, label: "Guerrilla" },
  e2: { kind: "figure", at: [3180, 1330], status: "in_sight", since: 4, seen: 4, label: "Guerrilla" },
  e3: { kind: "figure", at: [2980, 1140], status: "in_sight", since: 4, seen: 4, label: "Guerrilla" },
  n1: { kind: "noise", at: [4300, 3300], status: "heard", since: 4, seen: 4, label: "Movement heard, north-east", facts: { bearing: "north-east", what: "men moving" } },
  r1: { kind: "figure", at: [4850, 2450], status: "remembered", since: 1, seen: 2, label: "Guerrilla by the hedge" },
  t1: { kind: "report", at: [6250, 3100], status: "told", since: 2, seen: 2, label: "Villager: arms in the east" },
};

export const playerView: View = {
  turn: 4,
  turns: 12,
  phase: { key: "firing", label: "Firing", active: "regulars", mine: true, rule: "fireforce turn-sequence" },
  you: { commands: ["platoon"], side: "regulars" },
  sides: {
    regulars: { name: "Government", kind: "regular", colour: "#2f5f8f" },
    guerrillas: { name: "Guerrillas", kind: "indigenous", colour: "#9c3b2a" },
    peasants: { name: "Peasants", kind: "civilian", colour: "#6d6a5f" },
  },
  commands: { platoon: { name: "The platoon", side: "regulars", own: true }, cell: { name: "The cell", side: "guerrillas", own: false } },
  pieces,
  groups,
  contacts,
  features: { smoke1: { kind: "smoke", ring: blob(2850, 2050, 180, 130, 1), label: "smoke" } },
  points: {
    regulars: { total: 5, lines: [{ value: 5, reason: "one guerrilla out of action", rule: "fireforce victory-points" }] },
    guerrillas: { total: 10, lines: [{ value: 10, reason: "one regular out of action", rule: "fireforce victory-points" }] },
  },
  prompts: { now: "Choose who fires, squad by squad. End the phase when you are done." },
};

const ring = blob(2650, 2720, 600, 560, 0.4, 28);

export const forms: Record<string, Form[]> = {
  one: [
    {
      verb: "Fire",
      label: "Aimed fire",
      subject: ["one"],
      fixed: { aimed: true },
      slots: [
        { slot: "choice", name: "figures", label: "Who fires", many: true, least: 1, most: 7, choices: names.one!.map((label, i) => ({ id: `one${i}`, label, note: i === 2 ? "6 fire points" : i === 0 ? "3 fire points, out of range" : "2 fire points", pieces: [`one${i}`] })) },
        { slot: "choice", name: "target", label: "At whom", choices: [{ id: "e1", label: "Guerrilla", note: "15.2″, soft cover", pieces: ["e1"] }, { id: "e2", label: "Guerrilla", note: "14.8″, in the open", pieces: ["e2"] }, { id: "e3", label: "Guerrilla", note: "16.1″, jungle", pieces: ["e3"] }] },
      ],
      note: "Hits fall on those within 3″ of the target.",
      rule: "fireforce small-arms",
      odds: true,
    },
    { verb: "Fire", label: "Prophylactic fire", subject: ["one"], fixed: { aimed: false, figures: ["one1", "one2"] }, slots: [{ slot: "choice", name: "target", label: "At whom", choices: [{ id: "e1", label: "Guerrilla", note: "15.2″", pieces: ["e1"] }] }], rule: "fireforce small-arms", odds: true },
    {
      verb: "Move",
      label: "Tactical move",
      subject: ["one"],
      fixed: { manner: "tactical", figures: ["one0", "one1", "one2"] },
      slots: [{ slot: "path", name: "path", label: "The way", start: [2650, 2720], region: [ring], unit: "inches", preview: true }],
      rule: "fireforce movement",
    },
    { verb: "Motivate", label: "Roll motivation", subject: ["one"], fixed: { squad: "one" }, slots: [], rule: "fireforce motivation", odds: true },
    { verb: "Tell", label: "Report to the umpire", subject: ["one"], slots: [{ slot: "text", name: "text", label: "What do you report?", most: 200 }, { slot: "number", name: "range", label: "Fire only within", low: 1, high: 30, unit: "inches" }, { slot: "point", name: "at", label: "Where", region: [ring] }] },
  ],
  "": [{ verb: "EndPhase", label: "End the firing phase", fixed: { command: "platoon" }, slots: [], rule: "fireforce turn-sequence" }],
};

export const playerQuestions: WaitingQuestion[] = [
  {
    id: "q1",
    command: "platoon",
    question: {
      kind: "allocate_hits",
      prompt: "2 Section takes two hits. Who takes them?",
      choices: [
        { id: "two3", label: "Kerr", note: "pinned; saves on 4 or more", pieces: ["two3"] },
        { id: "two4", label: "Lamb", note: "saves on 6 or more", pieces: ["two4"] },
        { id: "two6", label: "Nash", note: "saves on 6 or more", pieces: ["two6"] },
      ],
      default: ["two3", "two4"],
      least: 2,
      most: 2,
      about: ["two3", "two4", "two6"],
      rule: "fireforce target-selection",
    },
    since: "2024-05-01T19:42:00Z",
  },
  {
    id: "q2",
    command: "platoon",
    roll: {
      count: 2,
      sides: 10,
      purpose: "Saving throws of 2 Section",
      each: true,
      bands: [{ low: 1, high: 5, result: "casualty" }, { low: 6, high: 10, result: "saved" }],
      modifiers: [{ value: 2, reason: "in jungle", rule: "fireforce saving-throws" }, { value: 1, reason: "pinned", rule: "fireforce saving-throws", status: "house" }],
      rule: "fireforce saving-throws",
    },
    since: "2024-05-01T19:43:00Z",
  },
];

export const lines: LogLine[] = [
  { text: "Turn 4 begins. The regulars move first.", kind: "turn" },
  { text: "1 Section rolls motivation: good morale, continue as ordered.", kind: "motivation", rule: "fireforce motivation", faces: [4], pieces: ["one0"], modifiers: [{ value: 3, reason: "trained", rule: "fireforce motivation" }, { value: 1, reason: "Cpl Adams", rule: "fireforce motivation" }, { value: -1, reason: "in cover", rule: "fireforce motivation" }] },
  { text: "1 Section moves 4.2″ tactically to the stream.", kind: "move", rule: "fireforce movement", pieces: ["one0"], at: [[2650, 2720]] },
  { text: "Noise of men moving, to the north-east.", kind: "noise", rule: "fireforce visibility", at: [[4300, 3300]] },
  { text: "2 Section comes under fire from Monkey wood: Moss is a casualty, Kerr is pinned.", kind: "fire", rule: "fireforce small-arms", faces: [13, 3, 8], pieces: ["two3", "two5"], at: [[2350, 1750]], modifiers: [{ value: 8, reason: "fire points of three rifles", rule: "fireforce small-arms" }, { value: 2, reason: "doubled: first shot from ambush", rule: "fireforce small-arms" }, { value: -2, reason: "halved: target in soft cover", rule: "fireforce small-arms", status: "house" }] },
];

// The truth

const truthPieces: Record<string, Piece> = structuredClone(pieces);
for (const id of ["e1", "e2", "e3"]) {
  delete truthPieces[id];
}
const men: [string, Place, string, string[]][] = [
  ["g1", [3050, 1250], "Comrade Vo", ["platoon"]],
  ["g2", [3180, 1330], "Guerrilla Minh", ["platoon"]],
  ["g3", [2980, 1140], "Guerrilla Tran", ["platoon"]],
  ["g4", [2830, 1060], "Gunner Bao", []],
  ["g5", [4350, 3500], "Comrade Linh", []],
  ["g6", [4450, 3420], "Guerrilla Duc", []],
  ["g7", [4260, 3400], "Guerrilla Hai", []],
];
for (const [id, at, label, seen] of men) {
  truthPieces[id] = {
    kind: "figure",
    side: "guerrillas",
    command: "cell",
    own: false,
    at,
    radius: 25,
    label,
    group: Number(id.slice(1)) <= 4 ? "cell_a" : "cell_b",
    marks: [],
    facts: { weapon: id === "g4" ? "light machine gun" : "assault rifle", quality: "trained", status: "fit", role: id === "g1" || id === "g5" ? "leader" : "rifleman" },
    seen_by: seen,
    hidden: !seen.length,
    may_act: true,
  };
}
const kinds = ["cache", "dummy", "peasants", "troops", "booby_trap", "dummy"];
cards.forEach(([id], i) => {
  truthPieces[id] = { ...truthPieces[id]!, command: "cell", facts: { kind: kinds[i]!, is_face_up: "no" }, label: `Card ${i + 1}: ${kinds[i]!.replace("_", " ")}`, seen_by: ["platoon"], hidden: true };
});
for (const piece of Object.values(truthPieces)) if (piece.command === "platoon") piece.seen_by = ["cell"];

export const plans: Record<string, Plan> = {
  cell_b: { force: "cell_b", legs: [{ path: [[4350, 3500], [4050, 3100], [3700, 2900]], pace: "tactical" }, { path: [[3700, 2900], [3100, 3000]], pace: "running" }] as never, leg: 0, along: 120, on_contact: "ambush", fire: "within_range", fire_range: 1200, status: "running" },
};

export const truthView: View = {
  ...playerView,
  you: { commands: [], side: "" },
  pieces: truthPieces,
  groups: {
    ...groups,
    cell_a: { name: "Cell A", command: "cell", pieces: ["g1", "g2", "g3", "g4"], facts: { quality: "trained" } },
    cell_b: { name: "Cell B", command: "cell", pieces: ["g5", "g6", "g7"], facts: { quality: "trained" } },
  },
  contacts: {},
  plans,
  prompts: { now: "The regulars are firing. Two things wait on you." },
};
