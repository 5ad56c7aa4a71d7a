// What stands in the slots of a form, in words.

import type { Place, Scene, Slot, SlotValue } from "../api/types";
import { lengthOf } from "../geometry/plane";
import { boardOf, isHexScene } from "../map/hex/board";
import { nameOfPlace } from "../parts/lnl/acts";
import { words } from "../words";
import { inches, summary } from "./format";
import { entriesOf } from "./lists";

/** Lengths are whole hundredths of an inch for the server, and inches for people. */
export const isHundredths = (slot: { unit?: string }): boolean => slot.unit === "hundredths of an inch";

/** How the places of a hex map are called; null on a table of inches. */
export type Namer = ((place: readonly number[]) => string) | null;

export function namerOf(scene: Scene | null): Namer {
  if (!scene || scene.kind === "inches") return null;
  if (!isHexScene(scene)) return (place) => place.join(", ");
  const board = boardOf(scene);
  return (place) => nameOfPlace(board, place);
}

/** `start` is where a path begins. */
export function said(slot: Slot, value: SlotValue | undefined, name: Namer, start?: Place): string {
  if (value === undefined) return "";
  switch (slot.slot) {
    case "choice": {
      const ids = Array.isArray(value) ? (value as string[]) : [String(value)];
      return summary(ids.map((id) => slot.choices.find((choice) => choice.id === id)?.label ?? id));
    }
    case "path": {
      const path = value as Place[];
      if (name) return path.map(name).join(" → ");
      return `${inches(lengthOf([start ?? slot.start, ...path]))}″`;
    }
    case "point":
      return name ? name(value as Place) : (value as Place).map((part) => `${inches(part)}″`).join(", ");
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
