// Taking a seat with its code.

import type { Battle, Seat } from "../api/types";
import { account, addressOf, deviceName, seats } from "./seats.svelte";

/** Joins and keeps the token. Gives the address of the seat's screen. */
export async function joinByCode(code: string): Promise<string> {
  const wanted = code.trim().toUpperCase().replace(/\s+/g, "");
  const joined = await account.act<{ token: string; seat: Seat; battle: Battle }>("join", {
    code: wanted,
    device: deviceName(),
  });
  const entry = { token: joined.token, seat: joined.seat, battle: joined.battle };
  seats.take(entry);
  return addressOf(entry);
}
