// What the umpire may do by hand comes from the server as forms; here a filled one becomes what is sent.

import type { Form } from "../api/types";

/** Before the name of a slot for what a contact shows: left out where nothing is said of it. */
const LOOKS = "looks.";

export function asCorrection(form: Form, values: Record<string, unknown>): Record<string, unknown> {
  const sent: Record<string, unknown> = { verb: form.verb, ...(form.fixed ?? {}) };
  const looks: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (!name.startsWith(LOOKS)) sent[name] = value;
    else if (value !== "" && value !== false) looks[name.slice(LOOKS.length)] = value;
  }
  return Object.keys(looks).length ? { ...sent, looks } : sent;
}

/** The values that may be set, each a form with what it is now as its note; and what else may be done. */
export function sorted(forms: readonly Form[]): { values: Form[]; acts: Form[] } {
  const isValue = (form: Form): boolean => form.role === "value";
  return { values: forms.filter(isValue), acts: forms.filter((form) => !isValue(form)) };
}
