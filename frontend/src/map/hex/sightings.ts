// What an eye on a hex map sees.

import type { Cell } from "./lattice";

/** How each place looks from where the eye stands; and one line, with what stands in its way. */
export interface Sightings {
  from: Cell;
  field: Record<string, string>;
  to?: Cell | undefined;
  obstacles?: { at: Cell; effect: string; what: string }[];
  isBlocked?: boolean;
}
