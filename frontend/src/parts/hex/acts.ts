// Forms as things to do: those that differ only in the place they are about become one, whose place is tapped on the map.

import type { Form } from "../../api/types";
import { type Cell, isSamePlace, levelOf, hexName } from "../../map/hex/lattice";
import type { Board } from "../../map/hex/board";
import { groundOf } from "../../map/hex/board";
import { commonLabel } from "../../state/stacks";
import { words } from "../../words";

export interface Act {
  key: string;
  label: string;
  rule: string;
  forms: Form[];
  /** The place that each form is about, in the order of the forms; empty where there is nothing to tap. */
  places: Cell[];
}

/** The one place among what a form has fixed. */
export function placeOf(form: Form): Cell | undefined {
  return Object.values(form.fixed ?? {}).find((value): value is number[] => Array.isArray(value) && (value.length === 2 || value.length === 3) && value.every((part) => typeof part === "number"));
}

export function actsOf(forms: readonly Form[]): Act[] {
  const acts = new Map<string, Act>();
  forms.forEach((form, i) => {
    const place = placeOf(form);
    const rest = Object.entries(form.fixed ?? {}).filter(([, value]) => value !== place);
    const key = place ? JSON.stringify([form.verb, rest]) : `one ${i}`;
    const act = acts.get(key) ?? { key, label: form.label, rule: form.rule ?? "", forms: [], places: [] };
    act.forms.push(form);
    if (place) act.places.push(place);
    acts.set(key, act);
  });
  for (const act of acts.values()) if (act.forms.length > 1) act.label = commonLabel(act.forms.map((form) => form.label));
  return [...acts.values()];
}

/** The form of an act about a place; of its hex where the place is not among them. */
export function formAt(act: Act, at: Cell): Form | undefined {
  const exact = act.places.findIndex((place) => isSamePlace(place, at));
  if (exact >= 0) return act.forms[exact];
  const near = act.places.findIndex((place) => place[0] === at[0] && place[1] === at[1]);
  return near >= 0 ? act.forms[near] : undefined;
}

/** "H6 upstairs", by the name that the map has for it. */
export function nameOfPlace(board: Board, at: Cell): string {
  return words.hex.floor(groundOf(board, at)?.name ?? hexName(at), levelOf(at));
}
