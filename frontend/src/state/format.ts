// Times and names as people say them.

import type { Place, Scene, View } from "../api/types";
import { isInside, lengthOf } from "../geometry/plane";
import { words } from "../words";

export function clock(at: Date | string | null | undefined): string {
  if (!at) return "";
  const date = typeof at === "string" ? new Date(at) : at;
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** Keys of facts are words with underscores; people read words. */
export function plain(key: string): string {
  const text = key.replaceAll("_", " ").replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A verb of an order as words: capitals begin them. */
export function spoken(verb: string): string {
  return plain(verb.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
}

export function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${Math.abs(value)}` : "0";
}

export function ruleTitle(rules: Record<string, string>, key: string | undefined): string {
  if (!key) return "";
  return rules[key] ?? plain(key.replace(/^\w+ /, ""));
}

export function inches(hundredths: number): string {
  return (hundredths / 100).toLocaleString(undefined, { maximumFractionDigits: 1 });
}

export function nameOf(view: View | null, id: string): string {
  return view?.pieces?.[id]?.label ?? view?.groups?.[id]?.name ?? view?.contacts?.[id]?.label ?? view?.commands?.[id]?.name ?? view?.sides?.[id]?.name ?? id;
}

export function placesOf(view: View | null, id: string): Place[] {
  const piece = view?.pieces?.[id];
  if (piece?.at) return [piece.at];
  const contact = view?.contacts?.[id];
  if (contact?.at) return [contact.at];
  return (view?.groups?.[id]?.pieces ?? []).map((each) => view?.pieces?.[each]?.at).filter((at): at is Place => !!at);
}

/** Many names in few words: what all end with is left out, what occurs often is counted. */
export function summary(labels: readonly string[]): string {
  const tails = labels.map((label) => /, [^,]+$/.exec(label)?.[0] ?? "");
  const same = labels.length > 1 && tails[0] !== "" && tails.every((tail) => tail === tails[0]);
  const counts = new Map<string, number>();
  for (const label of labels) {
    const name = same ? label.slice(0, -tails[0]!.length) : label;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)).join(", ");
}

export interface Ground {
  title: string;
  going?: string | undefined;
  cover?: string | undefined;
}

/** What lies at a place, the topmost last. */
export function groundAt(scene: Scene, at: Place): Ground[] {
  const found: Ground[] = [];
  for (const area of [...(scene.terrain ?? []), ...(scene.buildings ?? []).map((each) => ({ ...each, kind: "building" }))]) {
    if (!isInside(area.ring, at)) continue;
    const kind = scene.kinds?.[area.kind];
    const label = kind?.label ?? kind?.name ?? plain(area.kind);
    const more = area.storeys ? ` (${words.map.storeys(area.storeys)})` : "";
    found.push({ title: (area.name ? `${area.name}: ${label}` : plain(label)) + more, going: kind?.going, cover: kind?.cover });
  }
  for (const road of scene.roads ?? []) {
    if (isNear(road.line, at, (road.width ?? 100) / 2)) {
      found.push({ title: road.name || words.map.here, going: scene.kinds?.["road"]?.going });
    }
  }
  return found.length ? found : [{ title: words.map.openGround, going: scene.kinds?.["open"]?.going }];
}

function isNear(line: readonly Place[], at: Place, width: number): boolean {
  for (let i = 1; i < line.length; i += 1) {
    const a = line[i - 1]!;
    const b = line[i]!;
    const length = lengthOf([a, b]) || 1;
    const t = Math.max(0, Math.min(1, ((at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1])) / length ** 2));
    if (Math.hypot(at[0] - a[0] - t * (b[0] - a[0]), at[1] - a[1] - t * (b[1] - a[1])) <= width) return true;
  }
  return false;
}

