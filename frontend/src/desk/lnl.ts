// What the umpire may do by hand in Lock 'n Load: which words the server takes, not what they do.

import type { Choice, Form, Piece, Slot, View } from "../api/types";
import { plain } from "../state/format";
import { words } from "../words";

const choices = (...ids: string[]): Choice[] => ids.map((id) => ({ id, label: id ? plain(id) : "–" }));
const d = words.desk;

type Kind = (label: string) => Slot;
const yesNo: Kind = (label) => ({ slot: "choice", name: "value", label, choices: [{ id: "true", label: words.create.yes }, { id: "false", label: words.create.no }] });
const oneOf = (...ids: string[]): Kind => (label) => ({ slot: "choice", name: "value", label, choices: choices(...ids) });
const numberOf = (low: number, high: number): Kind => (label) => ({ slot: "number", name: "value", label, low, high });
const text: Kind = (label) => ({ slot: "text", name: "value", label, most: 120 });

/** Values that have few choices or one of their own kind; by what they are set on. */
const FIELDS: Record<string, Record<string, Kind>> = {
  unit: {
    is_shaken: yesNo,
    is_wounded: yesNo,
    moved: oneOf("", "move", "assault", "low_crawl", "stealth"),
    fired: yesNo,
    ops_complete: yesNo,
    has_called: yesNo,
    facing: numberOf(0, 6),
    counter: text,
    name: text,
    is_placed: yesNo,
    arrives: numberOf(0, 99),
  },
  weapon: { owner: text, is_set_up: yesNo, is_jammed: yesNo, counter: text },
  work: { facing: numberOf(0, 6), strength: numberOf(1, 6), kind: oneOf("foxhole", "trench", "bunker", "wire", "mines", "claymore") },
  battle: { turn: numberOf(1, 99), hour: oneOf("day", "night"), passes: numberOf(0, 3), held: text },
};

export function fieldForms(kind: string, id: string): Form[] {
  return Object.entries(FIELDS[kind] ?? {}).map(([field, slot]) => {
    const label = words.hex.fields[field] ?? plain(field.replace(/^(?:is|has)_/, ""));
    return { verb: "Change", label, fixed: { piece: id, field }, slots: [slot(label)] };
  });
}

export function pieceForms(id: string, piece: Piece | undefined, view: View): Form[] {
  const forms: Form[] = [{ verb: "MoveTo", label: d.move, fixed: { piece: id }, slots: [{ slot: "point", name: "at", label: d.moveHint }], note: d.moveHint }];
  if (piece?.hidden && piece.kind !== "weapon") forms.push({ verb: "Reveal", label: words.hex.reveal, fixed: { piece: id } });
  if (piece && !piece.hidden && piece.kind === "unit") forms.push({ verb: "Conceal", label: words.hex.conceal, fixed: { piece: id } });
  if (view.plans?.[id]) forms.push({ verb: "DropPlan", label: words.hex.dropPlan, fixed: { force: id } });
  forms.push({ verb: "Remove", label: d.remove, fixed: { piece: id } });
  return forms;
}

export function battleForms(view: View, believed: View | null): Form[] {
  const commands: Choice[] = Object.entries(view.commands ?? {}).map(([id, command]) => ({ id, label: command.name }));
  const sides: Choice[] = Object.entries(view.sides ?? {}).map(([id, side]) => ({ id, label: side.name }));
  const whom: Slot = { slot: "choice", name: "command", label: d.whom, choices: commands };
  const at: Slot = { slot: "point", name: "at", label: d.where };
  const side = (name: string): Slot => ({ slot: "choice", name, label: d.whom, choices: sides });
  const contacts: Choice[] = Object.entries(believed?.contacts ?? {}).map(([id, contact]) => ({ id, label: contact.label, pieces: [id] }));
  const whose = believed?.you?.commands?.[0] ?? "";
  return [
    { verb: "Tell", label: d.tell, slots: [whom, { slot: "text", name: "text", label: words.message.text, most: 500 }] },
    { verb: "ShowContact", label: d.showContact, fixed: { kind: "unit" }, slots: [whom, side("looks.side"), { slot: "text", name: "looks.counter", label: words.hex.counter, most: 60 }, at] },
    ...(contacts.length && whose ? [{ verb: "DropContact", label: words.hex.dropContact, fixed: { command: whose }, slots: [{ slot: "choice", name: "alias", label: d.what, choices: contacts } as Slot] }] : []),
    { verb: "Add", label: words.hex.add, slots: [whom, { slot: "text", name: "counter", label: words.hex.counter, most: 60 }, at] },
    { verb: "AwardPoints", label: d.award, fixed: { known: true }, slots: [side("side"), { slot: "number", name: "points", label: words.points.title, low: -100, high: 100 }, { slot: "text", name: "why", label: d.reason, most: 200 }] },
    { verb: "SetPhase", label: d.setPhase, slots: [side("active"), { slot: "choice", name: "phase", label: d.phase, choices: choices("set_up", "rally", "operations", "administrative") }] },
    { verb: "SetPlansOnly", label: words.hex.plansOnly, slots: [whom, { slot: "choice", name: "plans_only", label: words.hex.plansOnly, choices: [{ id: "true", label: words.create.yes }, { id: "false", label: words.create.no }] }] },
    { verb: "Happen", label: words.hex.happen, slots: [{ slot: "text", name: "key", label: words.hex.eventKey, most: 60 }] },
    { verb: "EndBattle", label: words.hex.endBattle, slots: [{ slot: "text", name: "why", label: d.reason, most: 200 }] },
    ...fieldForms("battle", "battle")
      .map((form) => (form.fixed?.["field"] === "held" ? { ...form, slots: [{ slot: "choice" as const, name: "value", label: form.label, choices: sides }] } : form))
      .map((form) => ({ ...form, label: d.set(form.label) })),
  ];
}
