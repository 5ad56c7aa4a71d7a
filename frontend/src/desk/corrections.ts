// The shapes of what an umpire may do by hand, by game system: which words the server takes, not what they do.

import type { Choice, Form, Piece, Slot, View } from "../api/types";
import { plain } from "../state/format";
import { words } from "../words";
import * as lnl from "./lnl";

const choices = (...ids: string[]): Choice[] => ids.map((id) => ({ id, label: plain(id) }));
const d = words.desk;

interface FieldKind {
  slot: (label: string) => Slot;
}

const QUALITIES = ["elite", "veteran", "trained", "poor", "green"];
const yesNo: FieldKind = { slot: (label) => ({ slot: "choice", name: "value", label, choices: [{ id: "true", label: words.create.yes }, { id: "false", label: words.create.no }] }) };
const oneOf = (...ids: string[]): FieldKind => ({
  slot: (label) => ({ slot: "choice", name: "value", label, choices: ids.map((id) => ({ id, label: id ? plain(id) : "–" })) }),
});
const numberOf = (low: number, high: number): FieldKind => ({ slot: (label) => ({ slot: "number", name: "value", label, low, high }) });
const wordsOf: FieldKind = { slot: (label) => ({ slot: "text", name: "value", label, most: 120 }) };

/** Fields of FireForce that have few values; any other is set in words. */
const FIREFORCE_FIELDS: Record<string, Record<string, FieldKind>> = {
  figure: {
    status: oneOf("fit", "casualty", "captured"),
    quality: oneOf(...QUALITIES),
    role: oneOf("platoon_commander", "platoon_sergeant", "leader", "assistant", "gunner", "rifleman", "civilian"),
    pinned: oneOf("", "fire", "he"),
    pinned_until: numberOf(0, 99),
    moved: oneOf("", "tactical", "running"),
    fired: oneOf("", "aimed", "prophylactic", "held"),
    motivation_rating: numberOf(-3, 5),
    name: wordsOf,
    body_armour: yesNo,
    in_combat: yesNo,
    must_withdraw: yesNo,
    is_placed: yesNo,
    is_prepared: yesNo,
    has_fired_from_ambush: yesNo,
    has_gambled: yesNo,
  },
  squad: {
    name: wordsOf,
    quality: oneOf(...QUALITIES),
    casualties: numberOf(0, 30),
    dropped: numberOf(0, 4),
    is_flakey: yesNo,
    has_special_motivation: yesNo,
    is_under_platoon_control: yesNo,
    may_split: yesNo,
    may_form_gun_group: yesNo,
  },
  card: {
    kind: oneOf("troops", "cache", "booby_trap", "dummy", "peasants"),
    is_on_table: yesNo,
    is_face_up: yesNo,
    has_moved: yesNo,
  },
  counter: { has_moved: yesNo },
  battle: { weather: oneOf("clear", "rain"), hour: oneOf("day", "night"), wind: numberOf(0, 359), turn: numberOf(1, 99) },
};

const PHASES = choices("upkeep", "motivation_movement", "visibility", "searching", "firing", "close_combat", "end");

/** The facts of a piece that can be set, each as a form of its own. */
export function fieldForms(system: string, kind: string, id: string): Form[] {
  if (system === "lnl") return lnl.fieldForms(kind, id);
  if (system !== "fireforce") return [];
  return Object.entries(FIREFORCE_FIELDS[kind] ?? {}).map(([field, each]) => ({
    verb: "Change",
    label: plain(field.replace(/^(?:is|has)_/, "")),
    fixed: { piece: id, field },
    slots: [each.slot(plain(field.replace(/^(?:is|has)_/, "")))],
  }));
}

/** What can be done with a piece. */
export function pieceForms(system: string, id: string, piece: Piece | undefined, isGroup: boolean, view: View): Form[] {
  if (system === "lnl") return lnl.pieceForms(id, piece, view);
  if (system !== "fireforce") return [];
  const forms: Form[] = [
    { verb: "MoveTo", label: d.move, fixed: { piece: id }, slots: [{ slot: "point", name: "at", label: d.moveHint }], note: d.moveHint },
  ];
  const isEnemyKnown = piece?.hidden !== undefined || isGroup || piece?.kind === "card";
  if (isEnemyKnown) {
    forms.push({ verb: "Reveal", label: d.revealAll, fixed: { piece: id } });
    forms.push({ verb: "Conceal", label: d.concealAll, fixed: { piece: id } });
  }
  if (piece?.kind === "figure") {
    const isDown = piece.marks?.some((mark) => mark.key === "casualty" || mark.key === "captured");
    forms.push(isDown ? { verb: "Heal", label: d.heal, fixed: { figure: id } } : { verb: "Kill", label: d.kill, fixed: { figure: id } });
  }
  if (!isGroup) forms.push({ verb: "Remove", label: d.remove, fixed: { piece: id } });
  void view;
  return forms;
}

/** What can be done to the battle as a whole. */
export function battleForms(system: string, view: View, believed: View | null = null): Form[] {
  if (system === "lnl") return lnl.battleForms(view, believed);
  if (system !== "fireforce") return [];
  const commands: Choice[] = Object.entries(view.commands ?? {}).map(([id, command]) => ({ id, label: command.name }));
  const sides: Choice[] = Object.entries(view.sides ?? {}).map(([id, side]) => ({ id, label: side.name }));
  return [
    { verb: "Tell", label: d.tell, slots: [{ slot: "choice", name: "command", label: d.whom, choices: commands }, { slot: "text", name: "text", label: words.message.text, most: 500 }] },
    { verb: "ShowContact", label: d.showContact, slots: [{ slot: "choice", name: "command", label: d.whom, choices: commands }, { slot: "choice", name: "kind", label: d.what, choices: choices("figure", "card", "noise", "report") }, { slot: "point", name: "at", label: d.where }] },
    { verb: "AwardPoints", label: d.award, fixed: { known: true }, slots: [{ slot: "choice", name: "side", label: d.whom, choices: sides }, { slot: "number", name: "points", label: words.points.title, low: -100, high: 100 }, { slot: "text", name: "why", label: d.reason, most: 200 }] },
    { verb: "SetPhase", label: d.setPhase, slots: [{ slot: "choice", name: "side", label: d.whom, choices: sides }, { slot: "choice", name: "phase", label: d.phase, choices: PHASES }] },
    ...fieldForms(system, "battle", "battle").map((form) => ({ ...form, label: d.set(form.label) })),
  ];
}

/** The value of a field as the server takes it: yes and no are not words there. */
export function asCorrection(form: Form, values: Record<string, unknown>): Record<string, unknown> {
  const sent: Record<string, unknown> = { verb: form.verb, ...(form.fixed ?? {}) };
  for (const [name, value] of Object.entries(values)) {
    const isFlag = (name === "value" && form.verb === "Change") || name === "plans_only";
    const plainValue = isFlag && (value === "true" || value === "false") ? value === "true" : value;
    // "looks.side" is a value within another.
    const [outer, inner] = name.split(".");
    if (inner) sent[outer!] = { ...(sent[outer!] as object | undefined), [inner]: plainValue };
    else sent[name] = plainValue;
  }
  return sent;
}
