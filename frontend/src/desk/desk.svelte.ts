// What the umpire has on the desk: the queue, the pictures of the seats, corrections and plans in the making, the ledger.

import type { Desk, Foreseen, Form, LedgerEntry, Place, Seat, Slot, SlotValue, Values, View, WaitingItem } from "../api/types";
import { type BattleState, reasonsOf } from "../state/battle.svelte";
import type { TableState } from "../state/table.svelte";
import { missing, sentValues, slotsOf, startValues } from "../state/orders";
import { words } from "../words";
import { asCorrection } from "./corrections";

export type Picture = "truth" | "both" | "as";

/** Milliseconds for which the desk says that something is done. */
const SAID_FOR = 8000;

export class DeskState {
  readonly battle: BattleState;
  desk = $state.raw<Desk>({ waiting: [] });
  seats = $state.raw<Seat[]>([]);
  picture = $state<Picture>("truth");
  asSeat = $state("");
  believed = $state.raw<View | null>(null);
  fault = $state<string[]>([]);
  ledger = $state.raw<LedgerEntry[]>([]);
  /** Depth of the ledger's entry under the cursor. */
  cursor = $state<number | null>(null);
  at = $state("");
  correction = $state.raw<{ form: Form; values: Values; active: string } | null>(null);
  reason = $state("");
  /** Who would see what of the correction in the making, once it is complete. */
  foreseen = $state.raw<Foreseen | null>(null);
  /** What may be done by hand with the chosen piece, or with the battle where none is chosen. */
  hand = $state.raw<{ unit: string; forms: Form[] }>({ unit: "", forms: [] });
  /** The ways in which a plan can be given to a force, to choose from. */
  drawable = $state.raw<{ force: string; command: string; forms: Form[] }>({ force: "", command: "", forms: [] });
  isPlanning = $state(false);
  isBusy = $state(false);
  done = $state("");

  private asked = 0;
  private handAsked = 0;
  private foreseenAsked = 0;

  constructor(battle: BattleState) {
    this.battle = battle;
  }

  get waiting(): WaitingItem[] {
    const listed: WaitingItem[] = (this.desk.waiting ?? []).map((item) => ({
      ...item,
      id: item.id ?? `${item.kind} ${item.seat ?? item.depth ?? ""}`,
      pieces: item.pieces ?? item.question?.about ?? [],
    }));
    const known = new Set(listed.map((item) => item.id));
    const questions: WaitingItem[] = this.battle.questions
      .filter((question) => !known.has(question.id))
      .map((question) => ({
        id: question.id,
        kind: question.roll ? "roll" : "question",
        command: question.command,
        question: question.question ?? null,
        roll: question.roll ?? null,
        offer: question.offer ?? false,
        ...(question.since ? { since: question.since } : {}),
        pieces: question.question?.about ?? [],
      }));
    return [...listed, ...questions].sort((a, b) => String(a.since ?? "").localeCompare(String(b.since ?? "")));
  }

  get item(): WaitingItem | undefined {
    return this.waiting.find((item) => item.id === this.at);
  }

  /** The names by which pictures can be asked for: seats that hold a command. */
  get pictures(): Seat[] {
    return this.seats.filter((seat) => seat.role === "player" && !seat.revoked);
  }

  async refresh(): Promise<void> {
    const ask = ++this.asked;
    const path = `battles/${this.battle.id}`;
    try {
      const [desk, seats] = await Promise.all([
        this.battle.api.get<Desk>(`${path}/desk`),
        this.battle.api.get<Seat[] | { seats: Seat[] }>(`${path}/seats`),
      ]);
      if (ask !== this.asked) return;
      this.desk = desk;
      this.seats = Array.isArray(seats) ? seats : seats.seats;
      if (desk.ledger?.length) {
        const older = this.ledger.filter((entry) => entry.depth < Math.min(...desk.ledger!.map((each) => each.depth)));
        this.ledger = [...[...desk.ledger].sort((a, b) => b.depth - a.depth), ...older];
      }
      if (!this.asSeat) this.asSeat = this.pictures[0]?.name ?? "";
      await this.readBelieved();
      this.fault = [];
    } catch (fault) {
      if (ask === this.asked) this.fault = reasonsOf(fault);
    }
  }

  async readBelieved(): Promise<void> {
    if (this.picture === "truth" || !this.asSeat) {
      this.believed = null;
      return;
    }
    const name = this.asSeat;
    const { view } = await this.battle.api.get<{ view: View }>(`battles/${this.battle.id}/view?as=${encodeURIComponent(name)}`);
    if (name === this.asSeat) this.believed = view;
  }

  async showPicture(picture: Picture, seat = this.asSeat): Promise<void> {
    this.picture = picture;
    this.asSeat = seat;
    try {
      await this.readBelieved();
    } catch (fault) {
      this.fault = reasonsOf(fault);
    }
  }

  async older(): Promise<void> {
    const least = this.ledger.at(-1)?.depth;
    const query = least === undefined ? "" : `before=${least}&`;
    try {
      const { entries } = await this.battle.api.get<{ entries: LedgerEntry[] }>(`battles/${this.battle.id}/ledger?${query}limit=100`);
      const known = new Set(this.ledger.map((entry) => entry.depth));
      this.ledger = [...this.ledger, ...entries.filter((entry) => !known.has(entry.depth))].sort((a, b) => b.depth - a.depth);
    } catch (fault) {
      this.fault = reasonsOf(fault);
    }
  }

  // Doing

  /** Runs an act and says what went wrong, if anything did. */
  async run(what: () => Promise<unknown>, done = ""): Promise<boolean> {
    this.isBusy = true;
    this.fault = [];
    this.done = "";
    try {
      await what();
      this.done = done;
      setTimeout(() => {
        if (this.done === done) this.done = "";
      }, SAID_FOR);
      await this.battle.catchUp().catch(() => undefined);
      await this.refresh();
      return true;
    } catch (fault) {
      this.fault = reasonsOf(fault);
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  /** What the server offers for a piece, or with "" for the battle. */
  async readHand(unit: string): Promise<void> {
    const ask = ++this.handAsked;
    if (unit !== this.hand.unit) this.hand = { unit, forms: [] };
    try {
      const query = unit ? `?unit=${encodeURIComponent(unit)}` : "";
      const { forms } = await this.battle.api.get<{ forms?: Form[] }>(`battles/${this.battle.id}/corrections${query}`);
      if (ask === this.handAsked) this.hand = { unit, forms: forms ?? [] };
    } catch {
      // A piece that has gone in the meantime, or a server that is away: nothing is offered.
      if (ask === this.handAsked) this.hand = { unit, forms: [] };
    }
  }

  private async foresee(): Promise<void> {
    const draft = this.correction;
    const ask = ++this.foreseenAsked;
    this.foreseen = null;
    if (!draft || missing(draft.form, draft.values).length) return;
    const correction = asCorrection(draft.form, sentValues(draft.form, draft.values));
    try {
      const found = await this.battle.api.post<Foreseen>(`battles/${this.battle.id}/corrections/preview`, { correction }, { attempts: 1 });
      if (ask === this.foreseenAsked && this.correction === draft) this.foreseen = found;
    } catch {
      // Said beforehand where it can be; what is wrong is said when it is sent.
    }
  }

  begin(form: Form): void {
    this.isPlanning = false;
    const values = startValues(form);
    this.correction = { form, values, active: (missing(form, values)[0] ?? slotsOf(form)[0])?.name ?? "" };
    this.done = "";
    void this.foresee();
  }

  setValue(name: string, value: SlotValue | undefined): void {
    if (!this.correction) return;
    const values = { ...this.correction.values };
    if (value === undefined) delete values[name];
    else values[name] = value;
    const open = missing(this.correction.form, values)[0];
    this.correction = { ...this.correction, values, active: open?.name ?? this.correction.active };
    void this.foresee();
  }

  get correctionPoint(): { name: string; value: Place | undefined } | null {
    const slot = this.correction?.form.slots?.find((each) => each.slot === "point");
    return slot ? { name: slot.name, value: this.correction?.values[slot.name] as Place | undefined } : null;
  }

  async correct(): Promise<void> {
    const draft = this.correction;
    if (!draft || missing(draft.form, draft.values).length || !this.reason.trim()) return;
    const correction = asCorrection(draft.form, sentValues(draft.form, draft.values));
    const ok = await this.run(
      () => this.battle.act(`battles/${this.battle.id}/corrections`, { correction, reason: this.reason.trim() }),
      draft.form.label,
    );
    if (ok) {
      this.correction = null;
      this.foreseen = null;
      this.reason = "";
    }
  }

  /** Back to just before the entry at a depth. */
  rewind(depth: number, dice: "keep" | "fresh", reason: string): Promise<boolean> {
    return this.run(() => this.battle.act(`battles/${this.battle.id}/rewind`, { depth, dice, reason }), words.desk.rewind);
  }

  // Plans

  /** What the rules offer for a plan of this force, as its command would give it. */
  async readPlans(force: string, command: string): Promise<void> {
    if (force !== this.drawable.force) {
      this.drawable = { force, command, forms: [] };
      this.isPlanning = false;
    }
    if (!force || !command) return;
    // A piece that has gone in the meantime, or a server that is away: nothing is offered.
    const { forms } = await this.battle.options(force, command).catch(() => ({ forms: [] as Form[] }));
    const verbs = new Set(forms.filter((form) => slotsOf(form).some(isDrawn)).map((form) => form.verb));
    if (force === this.drawable.force) this.drawable = { force, command, forms: forms.filter((form) => verbs.has(form.verb)) };
  }

  beginPlan(): void {
    this.correction = null;
    this.isPlanning = true;
  }

  /** A form for a plan, with what the force's present plan has of it. */
  openPlan(table: TableState, form: Form): void {
    const { force, command } = this.drawable;
    this.isPlanning = false;
    const draft = table.openFor(form, force, command);
    const list = slotsOf(form).find(isDrawn);
    if (list) draft.open(list);
    draft.router = (goal, weight) =>
      this.battle.api
        .post<{ path?: Place[]; note?: string }>(`battles/${this.battle.id}/plans/route`, { force, goal, weight }, { attempts: 2 })
        .then(({ path, note }) => ({ path: path ?? [], note: note ?? "" }));
  }
}

/** A list whose paths go on from each other is drawn on the table. */
function isDrawn(slot: Slot): boolean {
  return slot.slot === "list" && !!slot.goes_on;
}

/** The points of a plan in a view, from where its force stands. */
export function planPoints(plan: { legs?: unknown[] }, start: Place | undefined): Place[] {
  const points: Place[] = start ? [start] : [];
  for (const leg of plan.legs ?? []) {
    if (Array.isArray(leg)) {
      if (typeof leg[0] === "number") points.push(leg as Place);
      else points.push(...(leg as Place[]));
    } else if (leg && typeof leg === "object") {
      const found = leg as { path?: Place[]; to?: Place; at?: Place };
      if (found.path) points.push(...found.path);
      else if (found.to) points.push(found.to);
      else if (found.at) points.push(found.at);
    }
  }
  return points;
}
