// What pieces look like: all of our own making. Silhouettes lie in a square from -1 to 1.

export interface Silhouette {
  path: string;
  letter: string;
}

const RIFLE = "M-.9 .12 L-.9 -.02 L-.35 -.12 L.9 -.16 L.9 -.06 L.1 0 L.05 .18 L-.08 .18 L-.1 .02 L-.4 .1 L-.82 .34 Z";
const SMG = "M-.8 .1 L-.75 -.1 L.15 -.18 L.75 -.18 L.75 -.06 L.2 -.04 L.16 .5 L-.02 .5 L-.04 0 L-.3 .04 L-.36 .3 L-.52 .3 L-.5 .06 Z";
const MACHINE_GUN = "M-.95 .08 L-.9 -.14 L-.3 -.22 L.98 -.24 L.98 -.12 L.2 -.06 L.12 .06 L.5 .5 L.36 .54 L.0 .1 L-.2 .52 L-.34 .5 L-.14 .06 L-.5 .1 L-.85 .3 Z";
const PISTOL = "M-.5 -.3 L.7 -.3 L.7 -.06 L-.05 -.04 L-.1 .12 L-.26 .12 L-.36 .56 L-.66 .5 L-.5 -.02 Z";

/** By the words in a weapon's name or kind; the first that fits. */
const SILHOUETTES: [RegExp, Silhouette][] = [
  [/machine gun|lmg|hmg|saw|automatic weapon|minigun|autocannon/i, { path: MACHINE_GUN, letter: "M" }],
  [/submachine|smg|carbine/i, { path: SMG, letter: "S" }],
  [/pistol/i, { path: PISTOL, letter: "P" }],
  [/rifle|shotgun|musket/i, { path: RIFLE, letter: "R" }],
];

export function silhouetteOf(weapon: string | undefined): Silhouette | undefined {
  if (!weapon) return undefined;
  if (/submachine/i.test(weapon)) return { path: SMG, letter: "S" };
  return SILHOUETTES.find(([words]) => words.test(weapon))?.[1];
}

export interface MarkSign {
  /** A short sign drawn in the badge; the label says the rest. */
  sign: string;
  tone: "bad" | "warn" | "plain" | "good";
}

const MARKS: Record<string, MarkSign> = {
  pinned: { sign: "▼", tone: "bad" },
  moved: { sign: "→", tone: "plain" },
  running: { sign: "»", tone: "plain" },
  fired: { sign: "*", tone: "warn" },
  casualty: { sign: "✕", tone: "bad" },
  captured: { sign: "#", tone: "bad" },
  searching: { sign: "?", tone: "plain" },
  carrying: { sign: "■", tone: "plain" },
  under_fire: { sign: "!", tone: "warn" },
  in_combat: { sign: "×", tone: "warn" },
  hidden: { sign: "○", tone: "plain" },
};

export function signOf(key: string, label: string): MarkSign {
  return MARKS[key] ?? { sign: (label[0] ?? "?").toUpperCase(), tone: "plain" };
}

/** Rings that tell the squads of one side apart; their pennants carry names besides. */
export const SQUAD_RINGS = ["#f2c230", "#ffffff", "#63cfe0", "#f29ab8", "#a6e07f", "#f59c57", "#c9b6ff", "#111111"];

export function squadRing(groups: readonly string[], group: string | undefined): string {
  const at = group ? groups.indexOf(group) : -1;
  return at < 0 ? "#fffdf6" : SQUAD_RINGS[at % SQUAD_RINGS.length]!;
}

/** Groups in the order of their names: lists and rings agree. */
export function groupOrder(groups: Record<string, { name: string }> | undefined): string[] {
  return Object.entries(groups ?? {})
    .sort(([, a], [, b]) => a.name.localeCompare(b.name, undefined, { numeric: true }))
    .map(([id]) => id);
}

/** A pennant's few letters: "1 Section" is 1S, "Platoon HQ" is PHQ. */
export function initials(name: string): string {
  const parts = name.split(/\s+/).filter(Boolean);
  if (parts.length === 1) return name.slice(0, 3);
  return parts
    .map((part) => (/^[A-Z0-9]{2,3}$/.test(part) ? part : part[0]!.toUpperCase()))
    .join("")
    .slice(0, 4);
}

const FALLBACK = ["#2f5f8f", "#9c3b2a", "#6d6a5f", "#5a4a86"];

export function sideColour(sides: Record<string, { colour?: string }> | undefined, side: string): string {
  const given = sides?.[side]?.colour;
  if (given && /^(#[0-9a-f]{3,8}|[a-z]+)$/i.test(given)) return given;
  const at = Object.keys(sides ?? {}).indexOf(side);
  return FALLBACK[at < 0 ? 2 : at % FALLBACK.length]!;
}
