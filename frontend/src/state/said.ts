// What stands in the slots of a form, in words.

import type { OrderBody, Place, Scene, Slot, SlotValue, View } from "../api/types";
import { lengthOf } from "../geometry/plane";
import { boardOf, isHexScene } from "../map/hex/board";
import { nameOfPlace } from "../parts/hex/acts";
import { words } from "../words";
import { inches, nameOf, summary } from "./format";
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

/** An order as whoever approves it reads it: who or what it names that the view knows, and where it leads. */
export function orderSaid(order: OrderBody, view: View | null, name: Namer): string {
  const known = (id: unknown): string[] => (typeof id === "string" && (view?.pieces?.[id] ?? view?.groups?.[id] ?? view?.contacts?.[id]) ? [nameOf(view, id)] : []);
  const who = Object.entries(order).flatMap(([key, value]) => (key === "verb" ? [] : Array.isArray(value) ? (value as unknown[]).flatMap(known) : known(value)));
  const path = order["path"];
  const end = Array.isArray(path) ? (path.at(-1) as unknown) : (order["target"] ?? order["at"]);
  const isPlace = Array.isArray(end) && end.length >= 2 && end.every((part) => typeof part === "number");
  const where = !isPlace ? "" : name ? name(end as number[]) : `${inches((end as number[])[0]!)}″, ${inches((end as number[])[1]!)}″`;
  return [summary(who), where && `→ ${where}`].filter(Boolean).join(" ");
}
