// What the server sends and takes, as docs/api.md says it. What the server's own document says stands in schema.d.ts
// (`make types` writes it anew) and has other names here; the rest is written by hand.

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Place = [number, number];
export type Ring = Place[];

export type Modifier = Schemas["Modifier"];

export type Refusal = Schemas["Refusal"];

export type Choice = Schemas["Choice"];

export type ChoiceSlot = Schemas["ChoiceSlot"];

export type NumberSlot = Schemas["NumberSlot"];

export interface PointSlot {
  slot: "point";
  name: string;
  label: string;
  region?: Ring[];
  places?: Place[];
}

export interface PathSlot {
  slot: "path";
  name: string;
  label: string;
  start: Place;
  region?: Ring[];
  steps?: Record<string, Place[]>;
  most?: number;
  unit?: string;
  preview?: boolean;
}

export type TextSlot = Schemas["TextSlot"];

export type FlagSlot = Schemas["FlagSlot"];

/** A kind of entry of a list: a form within the form. */
export interface Part {
  label: string;
  fixed?: Record<string, unknown>;
  slots?: Slot[];
}

export interface ListSlot {
  slot: "list";
  name: string;
  label: string;
  parts: Part[];
  least?: number;
  most?: number;
  by?: string;
  goes_on?: boolean;
}

/** An entry of a list while it is made: which part it is of, and the values of its slots. */
export interface Entry {
  part: number;
  values: Values;
}

export type Slot = ChoiceSlot | NumberSlot | PointSlot | PathSlot | TextSlot | FlagSlot | ListSlot;
export type SlotValue = string | string[] | number | boolean | Place | Place[] | Entry[];
export type Values = Record<string, SlotValue>;

/** Who would see what of a correction: commands with the lines that they would read. */
export interface Foreseen {
  refusals?: { reason: string; rule?: string; field?: string }[];
  /** What the rules would not allow; the umpire may all the same. */
  breaches?: string[];
  seen_by?: Record<string, string[]>;
  everybody?: boolean;
}

export interface Form {
  verb: string;
  label: string;
  subject?: string[];
  fixed?: Record<string, unknown>;
  slots?: Slot[];
  note?: string;
  rule?: string;
  odds?: boolean;
  role?: "" | "aside" | "ends" | "value" | "harm";
  more?: Slot[];
}

export type OrderBody = { verb: string } & Record<string, unknown>;

export interface Options {
  forms: Form[];
  why?: Refusal[];
  subjects: string[];
}

export type Question = Schemas["Question"];

export type Band = Schemas["Band"];

export interface Roll {
  count?: number;
  sides?: number;
  purpose: string;
  subject?: string;
  by?: string;
  bands?: Band[];
  each?: boolean;
  modifiers?: Modifier[];
  rule?: string;
}

export interface WaitingQuestion {
  id: string;
  command: string;
  question?: Question | null;
  offer?: boolean;
  roll?: Roll | null;
  since?: string;
  answer?: string;
  decline?: string;
}

export interface LogLine {
  text: string;
  kind?: string;
  rule?: string;
  modifiers?: Modifier[];
  faces?: number[];
  pieces?: string[];
  at?: Place[];
}

export interface Preview {
  refusals?: Refusal[];
  cost?: string;
  path?: Place[];
  notes?: string[];
  modifiers?: Modifier[];
  warnings?: string[];
}

export interface Odds {
  fates: { piece: string; what: string; chance: string }[];
  exact?: boolean;
  branches?: number;
  assumes?: string[];
  refusals?: Refusal[];
}

/** What its giver is told: an order is "given" until it is over, whatever it waits for. */
export type OrderStatus = "given" | "done" | "ended" | "refused" | "withdrawn" | "taken_back";

export interface Order {
  id: string;
  order: OrderBody;
  status: OrderStatus;
  refusals?: Refusal[];
  lines?: LogLine[];
  taken_back?: boolean;
  /** The tag of the seat's view after it, and the number of its last news. */
  etag?: string;
  last?: number;
  seat?: string;
  /** In lists, the number of its last change. */
  changed?: number;
}

export type Mark = Schemas["Mark"];

export interface Piece {
  kind: string;
  side: string;
  command?: string;
  own?: boolean;
  at?: Place;
  radius?: number;
  label: string;
  group?: string;
  marks?: Mark[];
  facts?: Record<string, string>;
  may_act?: boolean;
  path?: Place[];
  /** Only in the umpire's truth. */
  seen_by?: string[];
  hidden?: boolean;
}

export interface Group {
  name: string;
  command?: string;
  pieces: string[];
  facts?: Record<string, string>;
  marks?: Mark[];
}

export interface Contact {
  kind: string;
  at?: Place;
  status: "in_sight" | "remembered" | "heard" | "told" | string;
  since?: number;
  seen?: number;
  label: string;
  facts?: Record<string, string>;
}

export interface Feature {
  kind: string;
  ring?: Ring;
  line?: Place[];
  at?: Place;
  label?: string;
  /** In hexes. */
  radius?: number;
  /** How far a thing that passes has come: 2 of smoke is fresh. */
  stage?: number;
}

export interface Phase {
  key: string;
  label: string;
  active?: string;
  mine?: boolean;
  rule?: string;
}

export interface Points {
  total: number;
  lines?: (Modifier | string)[];
}

export interface PlanLeg {
  to?: Place;
  at?: Place;
  [key: string]: unknown;
}

export interface Plan {
  legs?: (PlanLeg | Place)[];
  pace?: string;
  on_contact?: string;
  on_signal?: string;
  status?: string;
  [key: string]: unknown;
}

export interface View {
  turn?: number;
  turns?: number;
  phase?: Phase;
  you?: { commands?: string[]; side?: string };
  sides?: Record<string, { name: string; kind?: string; colour?: string }>;
  commands?: Record<string, { name: string; side: string; own?: boolean }>;
  pieces?: Record<string, Piece>;
  groups?: Record<string, Group>;
  contacts?: Record<string, Contact>;
  features?: Record<string, Feature>;
  points?: Record<string, Points>;
  prompts?: Record<string, string>;
  conditions?: Record<string, string | number>;
  plans?: Record<string, Plan>;
  outcome?: { is_over?: boolean; winner?: string; why?: string };
  [key: string]: unknown;
}

export interface SceneTerrain {
  key: string;
  name?: string;
  kind: string;
  ring: Ring;
  height?: number;
  storeys?: number;
}

export interface SceneLine {
  key: string;
  name?: string;
  kind?: string;
  line: Place[];
  width?: number;
}

export interface Scene {
  kind: string;
  special_rules?: string[];
  width: number;
  depth: number;
  unit?: number;
  terrain?: SceneTerrain[];
  buildings?: SceneTerrain[];
  roads?: SceneLine[];
  lines?: SceneLine[];
  kinds?: Record<string, { label?: string; name?: string; going?: string; cover?: string; [key: string]: unknown }>;
  rules?: Record<string, string>;
  weapons?: Record<string, { name?: string; kind?: string; [key: string]: unknown }>;
  house?: { key: string; what?: string; value?: unknown }[];
  title?: string;
  description?: string;
  victory?: string;
  digest?: string;
}

export interface Seat {
  id: string;
  name: string;
  role: string;
  commands?: string[];
  side?: string;
  code?: string;
  link?: string;
  qr?: string;
  revoked?: boolean;
  joined?: boolean;
  last_seen?: string;
}

export interface Battle {
  id: string;
  title: string;
  system: string;
  status: "preparing" | "running" | "finished" | string;
  scenario?: string;
  you?: Seat;
  seats?: Seat[];
  /** The battle is finished, and its record may be read. */
  is_open?: boolean;
  /** The SHA-256 of the secret that the server's dice are drawn with, told before the first falls. */
  commitment?: string;
}

export interface NewsItem {
  number: number;
  lines?: LogLine[];
  patch?: unknown;
  at?: string;
  kind?: "news" | "rewind" | "message" | string;
  etag?: string;
}

export interface Message {
  id: string;
  from?: string;
  sender?: string;
  to?: string;
  text: string;
  status?: string;
  sent?: number | string;
  due?: number | string;
  route?: string;
  at?: string;
}

export interface Sync {
  status: "current" | "news" | "whole";
  news?: NewsItem[] | number;
  last?: number;
  view?: View;
  questions?: WaitingQuestion[];
  /** Those that changed since the number given. */
  orders?: Order[];
  more_orders?: boolean;
  messages?: Message[];
  etag?: string;
  now?: string;
}

export interface System {
  system: string;
  title: string;
  version: string | number;
}

export interface ScenarioOption {
  name: string;
  label: string;
  kind?: "choice" | "number" | "flag" | string;
  choices?: Choice[];
  default?: unknown;
  note?: string;
  low?: number;
  high?: number;
  only_if?: Record<string, string>;
}

export interface Scenario {
  system: string;
  key: string;
  title: string;
  sides?: (string | { key?: string; name: string })[];
  length?: string | number;
  teaches?: string;
  author?: string;
  description?: string;
  victory?: string;
  options?: Form | ScenarioOption[] | Slot[];
  picture?: Scene;
}

/** Something that waits on the umpire: a question, held order, message, absent seat, or an order that cannot go on. */
export interface WaitingItem {
  id: string;
  kind: "question" | "order" | "message" | "stopped" | "absent" | string;
  since?: string;
  text?: string;
  command?: string;
  question?: Question | null;
  roll?: Roll | null;
  offer?: boolean;
  seat?: string;
  order?: OrderBody;
  sender?: string;
  to?: string;
  due?: number;
  depth?: number;
  fault?: string;
  pieces?: string[];
  at?: Place;
}

export interface LedgerEntry {
  depth: number;
  line: number;
  kind: string;
  text: string;
  rule?: string;
  working?: Record<string, unknown> | null;
  cut?: boolean;
  at?: string;
}

export interface Desk {
  waiting: (Omit<WaitingItem, "id"> & { id?: string })[];
  beliefs?: Record<string, unknown>;
  ledger?: LedgerEntry[];
  fault?: string | null;
}

export interface Who {
  username?: string;
  name?: string;
  is_umpire?: boolean;
}

/** The record of a battle that is finished and opened. */
export interface BattleRecord {
  battle: string;
  system: string;
  scenario: string;
  head: { line: number; depth: number; digest: string };
  commitment: string;
  secret: string;
  lines: { number: number; fork: number; dice: number; reason: string; parent?: number }[];
  entries: { line: number; depth: number; at: string; version: number; entry: RecordEntry }[];
  /** The line that was played to the end, in words. */
  chronicle: { depth: number; at: string; line: LogLine }[];
}

export type RecordEntry = { entry: string } & Record<string, unknown>;
