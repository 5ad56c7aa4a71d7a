// Silhouettes of counters, of our own making, in a square from -1 to 1. Men stand with their feet at .95.

import type { Figure, WeaponFigure } from "./counters";

/** A man with a rifle at the port: head with a helmet, body, legs; `x` moves him, `s` makes him smaller. */
function man(x: number, s = 1, arms = "rifle"): string {
  const p = (px: number, py: number): string => `${(x + px * s).toFixed(2)} ${(0.95 - (0.95 - py) * s).toFixed(2)}`;
  const head = `M${p(-0.16, -0.6)}Q${p(-0.16, -0.88)} ${p(0.02, -0.9)}Q${p(0.2, -0.88)} ${p(0.2, -0.6)}L${p(0.27, -0.55)}L${p(-0.22, -0.55)}Z M${p(-0.12, -0.53)}L${p(0.15, -0.53)}L${p(0.12, -0.34)}L${p(-0.07, -0.34)}Z`;
  const body = `M${p(-0.27, -0.3)}L${p(0.28, -0.3)}L${p(0.33, 0.12)}L${p(0.22, 0.2)}L${p(0.3, 0.95)}L${p(0.1, 0.95)}L${p(0.02, 0.36)}L${p(-0.1, 0.95)}L${p(-0.3, 0.95)}L${p(-0.2, 0.2)}L${p(-0.34, 0.1)}Z`;
  const gun =
    arms === "rifle"
      ? `M${p(-0.44, 0.22)}L${p(-0.36, 0.3)}L${p(0.56, -0.5)}L${p(0.5, -0.57)}Z`
      : arms === "smg"
        ? `M${p(-0.42, 0.06)}L${p(-0.42, -0.06)}L${p(0.52, -0.14)}L${p(0.52, -0.05)}L${p(0.1, 0.0)}L${p(0.08, 0.22)}L${p(-0.04, 0.22)}L${p(-0.04, 0.02)}Z`
        : "";
  return head + body + gun;
}

const CROSS = "M-.22 -.75H.22V-.22H.75V.22H.22V.75H-.22V.22H-.75V-.22H-.22Z";
const STAR = "M0 -.95L.27 -.3L.95 -.26L.42 .17L.6 .85L0 .46L-.6 .85L-.42 .17L-.95 -.26L-.27 -.3Z";

export const FIGURES: Record<Figure, { path: string; sign?: string; signColour?: string }> = {
  squad: { path: man(-0.42, 0.86) + man(0.42, 0.86) },
  half_squad: { path: man(0, 0.9) },
  crew: { path: man(-0.4, 0.7, "none") + man(0.4, 0.7, "none") },
  weapon_team: { path: "M-.95 .0L-.9 -.2L-.2 -.28L.98 -.34V-.2L.3 -.1L.24 .06L.66 .9H.5L.08 .2L-.32 .9H-.5L-.1 .1L-.5 .06L-.86 .2ZM-.62 -.3A.2 .2 0 1 1 -.22 -.42L-.3 -.28Z" },
  leader: { path: man(0, 0.96, "smg"), sign: STAR, signColour: "#f2c230" },
  hero: { path: man(0, 1, "smg"), sign: STAR, signColour: "#e0442c" },
  medic: { path: man(0, 0.9, "none"), sign: CROSS, signColour: "#d2201c" },
  nurse: { path: man(0, 0.9, "none"), sign: CROSS, signColour: "#d2201c" },
  sniper: { path: "M-.98 .5L-.9 .32L-.3 .12L-.16 -.14Q-.1 -.4 .1 -.4Q.3 -.38 .3 -.16L.24 .06L.44 .2L.98 .1V.2L.5 .34L.2 .46L-.5 .7L-.95 .74Z M-.1 .0L.98 -.06V.02L.0 .12Z" },
  scout: { path: man(0, 0.9, "rifle"), sign: "M-.6 0A.42 .42 0 1 1 -.59 .01ZM.6 0A.42 .42 0 1 0 .61 .01Z", signColour: "#cfe3f2" },
  chaplain: { path: man(0, 0.9, "none"), sign: "M-.13 -.95H.13V-.45H.55V-.2H.13V.95H-.13V-.2H-.55V-.45H-.13Z", signColour: "#ffffff" },
  advisor: { path: man(0, 0.9, "smg"), sign: "M-.7 -.5H.7V.5H-.7Z", signColour: "#cfe3f2" },
  commissar: { path: man(0, 0.9, "smg"), sign: STAR, signColour: "#d2201c" },
  weapon: { path: "" },
  work: { path: "" },
  unknown: { path: "M-.5 -.35Q-.45 -.85 .02 -.86Q.55 -.84 .55 -.35Q.52 -.02 .16 .16V.4H-.16V.0Q.22 -.12 .22 -.36Q.2 -.56 0 -.56Q-.2 -.55 -.22 -.35Z M-.18 .56H.18V.9H-.18Z" },
};

export const WEAPONS: Record<WeaponFigure, string> = {
  machine_gun: "M-.98 .06V-.16L-.5 -.2L-.44 -.34H.1L.14 -.22L.98 -.24V-.1L.16 -.06L.1 .08L.4 .6H.24L-.06 .1L-.3 .6H-.46L-.22 .06L-.6 .04Z",
  mortar: "M-.5 .62H.72V.5H.3L-.2 -.62L-.42 -.52L.04 .5H-.5Z M-.02 -.1L.5 .5H.62L.06 -.18Z",
  tube: "M-.98 -.26H.98V-.04H-.98Z M-.3 -.04H-.12V.4H-.3Z M.1 -.04H.26V.22H.1Z",
  charge: "M-.55 -.2H.55V.6H-.55Z M-.1 -.2Q0 -.7 .5 -.62L.48 -.5Q.12 -.54 .08 -.2Z",
  flame: "M-.9 .2H-.1L.0 .02H.3V-.1H.42V.26H.0L-.06 .36H-.9Z M.5 .1Q.9 -.6 .98 -.1Q1 .5 .6 .3Z",
  rifle: "M-.98 .18L-.94 -.06L-.3 -.12L.98 -.18V-.06L.1 .0L-.1 .06L-.6 .16L-.8 .34Z",
};
