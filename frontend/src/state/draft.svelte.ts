// An order being made: a form, the values of its slots so far, what the server says it would cost, and its odds.

import { Problem } from "../api/client";
import type { ChoiceSlot, Entry, Form, ListSlot, Odds, Place, Preview, Slot, SlotValue, Values } from "../api/types";
import { type BattleState, reasonsOf } from "./battle.svelte";
import { choiceOfPiece, isFilled, goers, isSameForm, keptValues, missing, orderOf, sentValues, slotsOf, startOf, startValues, tapped } from "./orders";
import { entriesOf, slotsIn, startEntry, wayOf } from "./lists";
import { words } from "../words";

const PREVIEW_AFTER = 220;

export class DraftState {
  readonly battle: BattleState;
  readonly unit: string | undefined;
  readonly actFor: string | undefined;

  form = $state.raw<Form>({ verb: "", label: "" });
  values = $state.raw<Values>({});
  /** Name of the slot that taps on the map go to; within a list also the entry, and the slot of that entry. */
  active = $state("");
  entry = $state(0);
  inner = $state("");
  stage = $state<"fill" | "confirm">("fill");
  preview = $state.raw<Preview | null>(null);
  isAsking = $state(false);
  odds = $state.raw<Odds | null>(null);
  isCounting = $state(false);
  oddsFault = $state<string[]>([]);
  /** Why the draft is back: a refusal, or a view that has changed. */
  notice = $state<string[]>([]);
  /** Who proposes a concealed way to a place, where somebody does; a tap while aiming is the goal. */
  router: ((goal: Place, weight: number) => Promise<{ path: Place[]; note: string }>) | null = null;
  isAiming = $state(false);
  isRouting = $state(false);
  routeWeight = $state(100);
  routeNote = $state("");

  private timer = 0;
  private asked: AbortController | null = null;
  private counted: AbortController | null = null;

  constructor(battle: BattleState, form: Form, unit?: string, actFor?: string, given: Values = {}) {
    this.battle = battle;
    this.unit = unit;
    this.actFor = actFor;
    this.form = form;
    this.values = { ...startValues(form), ...given };
    this.active = (missing(form, this.values)[0] ?? slotsOf(form)[0])?.name ?? "";
    if (!slotsOf(form).length) this.review();
    else this.changed();
  }

  get slots(): Slot[] {
    return slotsOf(this.form);
  }

  /** The slot at the top of the form that is being filled. */
  get outer(): Slot | undefined {
    return this.slots.find((slot) => slot.name === this.active);
  }

  /** The slot that is being filled; of a list the one within its entry. */
  get slot(): Slot | undefined {
    const outer = this.outer;
    return outer?.slot === "list" ? this.innerSlots(outer).find((slot) => slot.name === this.inner) : outer;
  }

  /** Its value. */
  get value(): SlotValue | undefined {
    const outer = this.outer;
    if (outer?.slot === "list") return this.entries(outer)[this.entry]?.values[this.inner];
    return this.values[this.active];
  }

  /** The path as it is drawn: where it begins, its way, and where those stand who go beside. */
  get drawn(): { start: Place | undefined; path: Place[]; beside: Place[]; point: Place | undefined } {
    let start: Place | undefined;
    let path: Place[] = [];
    let beside: Place[] = [];
    let point: Place | undefined;
    for (const slot of this.slots) {
      const value = this.values[slot.name];
      if (slot.slot === "path") {
        start = startOf(this.form, slot, this.values);
        path = (value as Place[] | undefined) ?? [];
        beside = goers(this.form, slot, this.values).slice(1);
      } else if (slot.slot === "point") point = value as Place | undefined;
      else if (slot.slot === "list" && slot === this.outer && this.slot?.slot === "path") {
        start = this.slot.start;
        path = (this.value as Place[] | undefined) ?? [];
        beside = [];
      }
    }
    return { start, path, beside, point };
  }

  /** The way of all entries of a list: the legs of a plan. */
  get way(): Place[] {
    const list = this.slots.find((slot): slot is ListSlot => slot.slot === "list" && !!slot.goes_on);
    return list ? wayOf(list, this.entries(list)) : [];
  }

  entries(list: ListSlot): Entry[] {
    return entriesOf(this.values[list.name]);
  }

  innerSlots(list: ListSlot): Slot[] {
    return slotsIn(list, this.entries(list), this.entry);
  }

  /** Goes to a slot of the form; in a list to its last entry. */
  open(slot: Slot): void {
    this.active = slot.name;
    this.isAiming = false;
    if (slot.slot === "list") this.look(slot, this.entries(slot).length - 1);
  }

  /** A further entry of a list, whose first open slot is filled next. */
  add(list: ListSlot, part: number): void {
    const entries = [...this.entries(list), startEntry(list, part)];
    this.set(list.name, entries);
    this.look(list, entries.length - 1);
  }

  remove(list: ListSlot, at: number): void {
    this.set(list.name, this.entries(list).filter((_, i) => i !== at));
    this.look(list, Math.min(at, this.entries(list).length - 1));
  }

  /** Opens an entry of a list: at what is still open, or where something can be drawn. */
  look(list: ListSlot, at: number, inner?: string): void {
    this.active = list.name;
    this.entry = Math.max(0, at);
    const slots = this.innerSlots(list);
    const values = this.entries(list)[this.entry]?.values ?? {};
    const open = slots.find((slot) => !isFilled(slot, values[slot.name])) ?? slots.find((slot) => slot.slot === "path" || slot.slot === "point") ?? slots[0];
    this.inner = inner ?? open?.name ?? "";
  }

  setIn(list: ListSlot, at: number, name: string, value: SlotValue | undefined): void {
    const entries = this.entries(list).map((entry, i) => {
      if (i !== at) return entry;
      const values = { ...entry.values };
      if (value === undefined) delete values[name];
      else values[name] = value;
      return { ...entry, values };
    });
    this.set(list.name, entries);
  }

  /** Sets the slot that is being filled. */
  private put(value: SlotValue | undefined): void {
    const outer = this.outer;
    if (outer?.slot === "list") this.setIn(outer, this.entry, this.inner, value);
    else if (outer) this.set(outer.name, value);
  }

  /** Slots that leave something to choose. */
  get openSlots(): Slot[] {
    return this.slots.filter((slot) => !(slot.slot === "choice" && !slot.many && slot.choices.length === 1));
  }

  /** Whether there is nothing to weigh but the choice itself: it is confirmed where it is made. */
  get isPlain(): boolean {
    return !this.form.odds && this.slots.every((slot) => !["path", "point", "list", "text"].includes(slot.slot));
  }

  /** Where everything is chosen already, what counts is shown at once. */
  reviewIfSettled(): void {
    if (this.stage !== "fill" || !this.isComplete || this.slots.some((slot) => slot.slot !== "choice")) return;
    if (this.form.odds || !this.openSlots.length) this.review();
  }

  get isComplete(): boolean {
    return missing(this.form, this.values).length === 0;
  }

  get order(): { verb: string } & Record<string, unknown> {
    return orderOf(this.form, sentValues(this.form, this.values));
  }

  set(name: string, value: SlotValue | undefined): void {
    const next = { ...this.values };
    if (value === undefined) delete next[name];
    else next[name] = value;
    this.values = next;
    this.stage = "fill";
    this.changed();
  }

  /** A choice tapped in the list. A single choice leads on to what is still open. */
  choose(slot: ChoiceSlot, id: string): void {
    this.set(slot.name, tapped(slot, this.values[slot.name], id));
    if (slot.many) return;
    const open = missing(this.form, this.values)[0];
    if (open) this.active = open.name;
    else if (this.slots.every((each) => each.slot === "choice" && !each.many)) this.review();
  }

  /** A piece tapped on the map. True if it was meant for this draft. */
  tapPiece(id: string): boolean {
    const inOrder = [this.slot, ...this.slots].filter((slot): slot is ChoiceSlot => slot?.slot === "choice");
    for (const slot of inOrder) {
      const choice = choiceOfPiece(slot, id);
      if (choice) {
        this.active = slot.name;
        this.choose(slot, choice);
        return true;
      }
    }
    return false;
  }

  /** A place tapped on the map that one of the choices stands for. */
  tapChoiceAt(place: readonly number[]): void {
    const slot = this.slot;
    if (this.stage !== "fill" || slot?.slot !== "choice") return;
    const choice = slot.choices.find((each) => slot.of_places && each.at?.every((part, i) => i > 1 || part === place[i]));
    if (choice) this.choose(slot, choice.id);
  }

  /** A place tapped on the map. */
  tapPlace(place: Place): boolean {
    const slot = this.slot;
    if (this.isAiming && slot?.slot === "path") {
      void this.askRoute(place);
      return true;
    }
    if (slot?.slot === "point") {
      this.put(slot.places?.length ? nearest(slot.places, place) : place);
      return true;
    }
    if (slot?.slot === "path") {
      const path = (this.value as Place[] | undefined) ?? [];
      if (slot.steps && Object.keys(slot.steps).length) {
        const at = path.at(-1) ?? slot.start;
        const next = (slot.steps[at.join(",")] ?? []).find((step) => place.every((part, i) => part === step[i]));
        if (!next) return false;
        this.put([...path, next]);
      } else this.put([...path, place]);
      return true;
    }
    return false;
  }

  /** Whether the path that is being drawn is the first: a way is proposed from where its force stands. */
  get isAtStart(): boolean {
    const outer = this.outer;
    if (outer?.slot !== "list") return true;
    return wayOf(outer, this.entries(outer).slice(0, this.entry)).length <= 1;
  }

  private async askRoute(goal: Place): Promise<void> {
    this.isAiming = false;
    this.isRouting = true;
    this.routeNote = "";
    try {
      const { path, note } = await this.router!(goal, this.routeWeight);
      this.setPath(path);
      this.routeNote = note;
    } catch (fault) {
      this.routeNote = fault instanceof Problem && fault.status === 404 ? words.desk.routeUnknown : reasonsOf(fault).join(" ");
    } finally {
      this.isRouting = false;
    }
  }

  setPath(path: Place[]): void {
    if (this.slot?.slot === "path") this.put(path.length ? path : undefined);
  }

  undoPoint(): void {
    if (this.slot?.slot !== "path") return;
    const path = ((this.value as Place[] | undefined) ?? []).slice(0, -1);
    this.put(path.length ? path : undefined);
  }

  isFilled(slot: Slot): boolean {
    return isFilled(slot, this.values[slot.name]);
  }

  /** To the last look before giving: everything that counts, and the odds. */
  review(): void {
    this.stage = "confirm";
    this.askPreview(0);
    if (this.form.odds) void this.count();
  }

  back(): void {
    this.stage = "fill";
  }

  drop(): void {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.counted?.abort();
  }

  /** Gives the order. On a refusal or a changed view the draft stays, with the reason. */
  async give(): Promise<boolean> {
    this.notice = [];
    const { order, problem, kept } = await (this.slots.length ? this.battle.give(this.form.label, this.order, this.actFor) : this.battle.giveAtOnce(this.form, this.actFor));
    if (kept || (order && order.status !== "refused")) return true;
    if (order) this.notice = (order.refusals ?? []).map((refusal) => refusal.reason);
    else if (problem?.isStale) this.notice = [words.order.changed];
    else if (problem) this.notice = reasonsOf(problem);
    await this.renew().catch(() => undefined);
    this.stage = "confirm";
    this.askPreview(0);
    return false;
  }

  /** The view has changed: the same form with today's choices, and the values that are still among them. */
  async renew(): Promise<void> {
    const { forms } = await this.battle.options(this.unit, this.actFor);
    const same = forms.find((form) => isSameForm(form, this.form)) ?? forms.find((form) => form.verb === this.form.verb);
    if (!same) {
      this.notice = [...this.notice, words.order.notOffered];
      return;
    }
    this.form = same;
    this.values = keptValues(same, this.values);
    this.askPreview(0);
  }

  private changed(): void {
    this.odds = null;
    this.oddsFault = [];
    this.preview = null;
    this.askPreview(PREVIEW_AFTER);
  }

  private askPreview(after: number): void {
    clearTimeout(this.timer);
    this.asked?.abort();
    if (!this.isComplete) {
      this.isAsking = false;
      return;
    }
    this.isAsking = true;
    this.timer = window.setTimeout(() => void this.ask(), after);
  }

  private async ask(): Promise<void> {
    const control = new AbortController();
    this.asked = control;
    try {
      const preview = await this.battle.preview(this.order, control.signal, this.actFor);
      if (!control.signal.aborted) this.preview = preview;
    } catch (fault) {
      if (control.signal.aborted) return;
      if (!(fault instanceof Problem)) this.preview = { warnings: [words.order.noPreview] };
      else this.preview = { refusals: reasonsOf(fault).map((reason) => ({ reason })) };
    } finally {
      if (this.asked === control) this.isAsking = false;
    }
  }

  private async count(): Promise<void> {
    this.counted?.abort();
    const control = new AbortController();
    this.counted = control;
    this.isCounting = true;
    this.oddsFault = [];
    try {
      const odds = await this.battle.odds(this.order, control.signal, this.actFor);
      if (!control.signal.aborted) this.odds = odds;
    } catch (fault) {
      if (!control.signal.aborted) this.oddsFault = reasonsOf(fault);
    } finally {
      if (this.counted === control) this.isCounting = false;
    }
  }
}

function nearest(places: readonly Place[], at: Place): Place {
  const away = (place: Place): number => Math.hypot(...place.map((part, i) => part - ((at as number[])[i] ?? 0)));
  return [...places].sort((a, b) => away(a) - away(b))[0]!;
}
