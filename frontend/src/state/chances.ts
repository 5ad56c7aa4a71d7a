// Chances come as fractions of integers and are rounded here, on the screen, and nowhere else.

import type { Odds } from "../api/types";

export interface Chance {
  fraction: string;
  value: number;
  percent: string;
}

export function chanceOf(text: string): Chance {
  const [top, bottom] = text.split("/").map((part) => Number(part.trim()));
  const value = top === undefined || Number.isNaN(top) ? NaN : bottom === undefined ? top : top / bottom;
  return { fraction: text, value, percent: percentOf(value) };
}

/** Never 0 % for what can happen, never 100 % for what can fail. */
export function percentOf(value: number): string {
  if (!Number.isFinite(value)) return "?";
  if (value <= 0) return "0 %";
  if (value >= 1) return "100 %";
  const rounded = Math.round(value * 100);
  if (rounded === 0) return "< 1 %";
  if (rounded === 100) return "> 99 %";
  return `${rounded} %`;
}

/** Numerators too long to read are not shown. */
export function readableFraction(chance: Chance): string {
  return chance.fraction.length <= 11 && chance.fraction.includes("/") ? chance.fraction : "";
}

export interface Fates {
  piece: string;
  fates: { what: string; chance: Chance }[];
}

/** Fates by piece, the likeliest first. */
export function byPiece(odds: Odds): Fates[] {
  const found = new Map<string, Fates>();
  for (const fate of odds.fates) {
    const entry = found.get(fate.piece) ?? { piece: fate.piece, fates: [] };
    entry.fates.push({ what: fate.what, chance: chanceOf(fate.chance) });
    found.set(fate.piece, entry);
  }
  for (const entry of found.values()) entry.fates.sort((a, b) => b.chance.value - a.chance.value);
  return [...found.values()];
}
