// The seats of a battle as its umpire hands them out: codes, links at an address that tablets can open, who is there.

import type { Api } from "../api/client";
import type { Seat } from "../api/types";
import { reasonsOf } from "./battle.svelte";

export interface Device {
  label?: string;
  last_seen?: string;
  revoked?: boolean;
  online?: boolean;
  has_seen_everything?: boolean;
}

export type Row = Seat & { devices?: Device[]; admits_witnesses?: boolean; handed_over?: boolean; online?: boolean };

/** An address at which other devices may find the server; one of them has where it is `opened`. */
export interface Address {
  address: string;
  opened?: boolean;
}

export interface NewSeat {
  name: string;
  role: "player" | "observer" | "umpire";
  commands: string[];
}

const HERE = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A link with another address before its path. */
export function linkAt(link: string, address: string): string {
  const path = link.replace(/^https?:\/\/[^/]+/, "");
  return address ? address + path : link;
}

export class Seating {
  rows = $state.raw<Row[]>([]);
  addresses = $state.raw<Address[]>([]);
  address = $state("");
  reasons = $state.raw<string[]>([]);
  isBusy = $state(false);
  /** What was shown once: the code and the link of a seat, by its id. */
  private invites = $state.raw<Record<string, Seat>>({});
  private pictures = $state.raw<Record<string, string>>({});
  private readonly api: Api;
  private readonly battle: string;

  constructor(api: Api, battle: string, made: Seat[] = []) {
    this.api = api;
    this.battle = battle;
    this.rows = made;
    for (const seat of made) this.show(seat);
  }

  /** Whether nobody but this computer can open the links. */
  get isAlone(): boolean {
    return !this.addresses.length && HERE.has(location.hostname);
  }

  async look(): Promise<void> {
    try {
      const [rows, addresses] = await Promise.all([
        this.api.get<Row[]>(`battles/${this.battle}/seats`),
        this.api.get<Address[]>("addresses"),
      ]);
      this.rows = rows;
      this.addresses = addresses;
      if (!addresses.some((each) => each.address === this.address)) {
        const here = addresses.find((each) => each.address === location.origin);
        await this.choose((here ?? addresses[0])?.address ?? "");
      }
    } catch (fault) {
      this.reasons = reasonsOf(fault);
    }
  }

  /** Writes the links with another address, and draws them anew. */
  async choose(address: string): Promise<void> {
    this.address = address;
    await Promise.all(Object.keys(this.invites).map((seat) => this.draw(seat)));
  }

  /** The code and the link of a seat where they are still known. */
  invite(seat: string): { code: string; link: string; picture: string } | undefined {
    const invite = this.invites[seat];
    if (!invite?.code) return undefined;
    return { code: invite.code, link: linkAt(invite.link ?? "", this.address), picture: this.pictures[seat] ?? "" };
  }

  add(seat: NewSeat): Promise<boolean> {
    return this.run(async () => this.show(await this.api.act<Seat>(`battles/${this.battle}/seats`, seat)));
  }

  rename(seat: string, name: string): Promise<boolean> {
    return this.run(() => this.api.request("PATCH", `seats/${seat}`, { body: { name } }));
  }

  renew(seat: string, how: { admits_witnesses?: boolean; hands_over?: boolean } = {}): Promise<boolean> {
    return this.run(async () => this.show(await this.api.act<Seat>(`seats/${seat}/code`, how)));
  }

  revoke(seat: string): Promise<boolean> {
    const { [seat]: _, ...others } = this.invites;
    this.invites = others;
    return this.run(() => this.api.act(`seats/${seat}/revoke`, {}));
  }

  private show(seat: Seat): void {
    this.invites = { ...this.invites, [seat.id]: seat };
    if (seat.qr) this.pictures = { ...this.pictures, [seat.id]: seat.qr };
    if (this.address) void this.draw(seat.id);
  }

  private async draw(seat: string): Promise<void> {
    const link = this.invites[seat]?.link;
    if (!link) return;
    const text = encodeURIComponent(linkAt(link, this.address));
    const drawn = await this.api.get<{ svg: string }>(`picture?text=${text}`).catch(() => undefined);
    if (drawn) this.pictures = { ...this.pictures, [seat]: drawn.svg };
  }

  private async run(act: () => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    this.reasons = [];
    try {
      await act();
      await this.look();
      return true;
    } catch (fault) {
      this.reasons = reasonsOf(fault);
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}
