// What stands in the slots of a form, in words.

import type { Place, Slot, SlotValue } from "../api/types";
import { lengthOf } from "../geometry/plane";
import { words } from "../words";
import { inches, summary } from "./format";
import { entriesOf } from "./lists";

/** Lengths are whole hundredths of an inch for the server, and inches for people. */
export const isHundredths = (slot: { unit?: string }): boolean => slot.unit === "hundredths of an inch";

/** `start` is where a path begins; places of a hex game are said as they are. */
export function said(slot: Slot, value: SlotValue | undefined, isInches: boolean, start?: Place): string {
  if (value === undefined) return "";
  switch (slot.slot) {
    case "choice": {
      const ids = Array.isArray(value) ? (value as string[]) : [String(value)];
      return summary(ids.map((id) => slot.choices.find((choice) => choice.id === id)?.label ?? id));
    }
    case "path": {
      const path = value as Place[];
      if (!isInches) return path.map((place) => place.join(", ")).join(" → ");
      return `${inches(lengthOf([start ?? slot.start, ...path]))}″`;
    }
    case "point":
      return isInches ? (value as Place).map((part) => `${inches(part)}″`).join(", ") : (value as Place).join(", ");
    case "number":
      return isHundredths(slot) ? `${inches(Number(value))}″` : `${String(value)} ${slot.unit ?? ""}`.trim();
    case "flag":
      return value ? words.create.yes : words.create.no;
    case "list":
      return summary(entriesOf(value).map((entry) => slot.parts[entry.part]?.label ?? "")) || words.order.none;
    default:
      return String(value);
  }
}
