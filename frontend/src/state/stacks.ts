// Many forms that differ only in whom they are about become one button: "Aimed fire" at five enemies is one thing to do.

import type { Form } from "../api/types";

export interface Stack {
  label: string;
  rule: string;
  forms: Form[];
  /** The piece that each form is about, in the order of the forms; empty where there is nothing to choose. */
  targets: string[];
}

/** Forms with the same verb and the same fixed parts but for one piece, which their subject names too. */
export function stacked(forms: readonly Form[], unit: string): Stack[] {
  const stacks = new Map<string, Stack>();
  forms.forEach((form, i) => {
    const target = targetOf(form, unit);
    const rest = Object.entries(form.fixed ?? {}).filter(([, value]) => value !== target);
    const key = target ? JSON.stringify([form.verb, rest, (form.slots ?? []).map((slot) => slot.name)]) : `one ${i}`;
    const stack = stacks.get(key) ?? { label: form.label, rule: form.rule ?? "", forms: [], targets: [] };
    stack.forms.push(form);
    if (target) stack.targets.push(target);
    stacks.set(key, stack);
  });
  for (const stack of stacks.values()) if (stack.forms.length > 1) stack.label = commonLabel(stack.forms.map((form) => form.label));
  return [...stacks.values()];
}

/** Quiet things that are seldom wanted stand behind the others. */
export const isAside = (form: Form): boolean => form.role === "aside";

/** The other piece that a form is about: in its subject and among what is fixed. */
export function targetOf(form: Form, unit: string): string | undefined {
  const fixed = Object.values(form.fixed ?? {});
  return form.subject?.find((piece) => piece !== unit && fixed.includes(piece));
}

/** The words that labels begin with alike. */
export function commonLabel(labels: readonly string[]): string {
  const words = labels.map((label) => label.split(" "));
  const first = words[0] ?? [];
  let same = 0;
  while (same < first.length && words.every((each) => each[same] === first[same])) same += 1;
  if (same === 0) return labels[0] ?? "";
  const label = first.slice(0, same).join(" ");
  if (words.every((each) => each.length === same)) return label;
  // "Aimed fire at enemy with…" is aimed fire: at whom is asked next.
  return `${label.replace(/(?<=\S) (?:at|to|on|of|for|into|by)(?: .*)?$/, "")}…`;
}
