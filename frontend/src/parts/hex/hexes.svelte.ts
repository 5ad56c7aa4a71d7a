// What a person has in hand on a hex map: the hex looked at, the units chosen of its stacks, what waits for a target, the glass.

import type { Form, Place, Values } from "../../api/types";
import { boardOf, isHexScene, isOnBoard } from "../../map/hex/board";
import { countersIn, countersOf, type Counter, LEADING } from "../../map/hex/counters";
import { type Cell, isSameHex, isSamePlace } from "../../map/hex/lattice";
import type { Sightings } from "../../map/hex/sightings";
import { reasonsOf } from "../../state/battle.svelte";
import type { TableState } from "../../state/table.svelte";
import { words } from "../../words";
import { isAside } from "../../state/stacks";
import { type Act, actsOf, formAt, nameOfPlace } from "./acts";

interface SightAnswer {
  from: number[];
  field: Record<string, string>;
  line?: { is_blocked: boolean; degrading: number; distance: number; obstacles: { at: string; effect: string; what: string; rule: string }[]; why: string };
}

/** Milliseconds for which a hint stands. */
const HINTED = 3500;

export class HexState {
  readonly table: TableState;
  at = $state.raw<Cell | null>(null);
  picked = $state.raw<string[]>([]);
  act = $state.raw<Act | null>(null);
  /** Only what may be done to this place. */
  target = $state.raw<Cell | null>(null);
  isLooking = $state(false);
  sight = $state.raw<Sightings | null>(null);
  line = $state.raw<SightAnswer["line"] | null>(null);
  sightFault = $state("");
  isGiving = $state(false);
  fault = $state.raw<string[]>([]);
  /** Why a tap on the map did nothing. */
  hint = $state("");
  private asked = 0;
  private timer = 0;

  constructor(table: TableState) {
    this.table = table;
  }

  get isHexes(): boolean {
    return isHexScene(this.table.battle.scene);
  }

  get counters(): Counter[] {
    const view = this.table.battle.view;
    return view && this.at ? countersIn(countersOf(view), this.at) : [];
  }

  /** Own units of the hex that may act together with the one that is chosen: those of its place. */
  get mates(): Counter[] {
    const chosen = this.counters.find((counter) => counter.id === this.table.selected);
    return chosen?.own ? this.counters.filter((counter) => counter.own && counter.figure !== "weapon" && counter.figure !== "work" && isSamePlace(counter.at, chosen.at)) : [];
  }

  get acts(): Act[] {
    const forms = this.table.forms.filter((form) => !isAside(form));
    const acts = actsOf(forms);
    const target = this.target;
    if (!target) return acts;
    return acts.filter((act) => formAt(act, target)).map((act) => ({ ...act, label: formAt(act, target)!.label, forms: [formAt(act, target)!], places: [target] }));
  }

  get asides(): Form[] {
    return this.table.forms.filter(isAside);
  }

  /** The places of which one may be tapped now. */
  get places(): readonly Cell[] {
    const slot = this.table.draft?.stage === "fill" ? this.table.draft.slot : undefined;
    if (slot?.slot === "point") return (slot.places ?? []) as unknown as Cell[];
    return this.act?.places ?? [];
  }

  /** Everything that lights up: with the unit that is asked about those chosen beside it. */
  get selected(): Set<string> {
    return new Set([...this.table.selectedIds, ...this.picked]);
  }

  /** Lets go what is not there any more. */
  keep(): void {
    const view = this.table.battle.view;
    const own = this.picked.filter((id) => view?.pieces?.[id]?.at);
    if (own.length !== this.picked.length) this.picked = own;
    const at = view?.pieces?.[this.table.selected]?.at;
    if (at && this.at && !isSameHex(at, this.at)) {
      this.at = at;
      this.picked = this.picked.filter((id) => isSamePlace(view?.pieces?.[id]?.at ?? [], at));
    }
  }

  tap(id: string | null, at: Cell): void {
    const { table } = this;
    if (this.isLooking) {
      void this.look(at);
      return;
    }
    if (table.draft) {
      if (!id || !table.draft.tapPiece(id)) table.draft.tapChoiceAt(at);
      return;
    }
    if (this.act) {
      const form = formAt(this.act, at);
      if (form) {
        this.open(form);
        return;
      }
    }
    const question = table.question?.question;
    if (question) {
      const before = table.chosen;
      const choice = question.choices.find((each) => each.at && isSamePlace(each.at, at)) ?? (id ? question.choices.find((each) => each.pieces?.includes(id)) : undefined);
      if (choice) {
        const most = question.most ?? 1;
        table.chosen = before.includes(choice.id) ? before.filter((other) => other !== choice.id) : [...before, choice.id].slice(-most);
        return;
      }
    }
    const piece = id ? table.battle.view?.pieces?.[id] : undefined;
    // Somewhere else, where those chosen may do something.
    if (table.selected && !piece?.own && !isSameHex(at, this.at ?? [])) {
      const fitting = actsOf(table.forms.filter((form) => !isAside(form))).filter((act) => formAt(act, at));
      if (fitting.length) {
        this.act = null;
        this.target = fitting[0]!.places.find((place) => isSameHex(place, at)) ?? at;
        if (fitting.length === 1) this.open(formAt(fitting[0]!, at)!);
        return;
      }
    }
    this.choose(id, at);
  }

  /** Looks at a hex, and at a unit of it. */
  choose(id: string | null, at: Cell): void {
    this.act = null;
    this.target = null;
    this.fault = [];
    this.at = at;
    this.picked = id && this.table.battle.view?.pieces?.[id]?.own ? [id] : [];
    this.table.select(id ?? "");
  }

  /** Says for a moment why a tap did nothing. */
  say(hint: string): void {
    this.hint = hint;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => (this.hint = ""), HINTED);
  }

  /** Takes a unit of the stack in or out. */
  toggle(id: string): void {
    const { table } = this;
    this.act = null;
    this.target = null;
    if (!this.mates.some((mate) => mate.id === id)) {
      const piece = table.battle.view?.pieces?.[id];
      this.choose(id, piece?.at ?? this.at!);
      return;
    }
    const next = this.picked.includes(id) ? this.picked.filter((other) => other !== id) : [...this.picked, id];
    if (!next.length) return;
    this.pick(next);
  }

  all(): void {
    this.pick(this.mates.map((mate) => mate.id));
  }

  /** What may be done is asked about one of those chosen: about men rather than about a single man who goes along. */
  private pick(ids: string[]): void {
    const { table } = this;
    this.picked = ids;
    const foremost = this.mates.filter((mate) => ids.includes(mate.id)).sort((a, b) => LEADING.indexOf(b.figure) - LEADING.indexOf(a.figure))[0]?.id;
    if (foremost && foremost !== table.selected) table.select(foremost);
    else table.closeDraft();
  }

  close(): void {
    if (this.isLooking) this.stopLooking();
    else if (this.act || this.target) {
      this.act = null;
      this.target = null;
    } else {
      this.at = null;
      this.picked = [];
      this.table.select("");
    }
  }

  begin(act: Act): void {
    if (act.places.length && (act.forms.length > 1 || !this.target)) this.act = act;
    else this.open(act.forms[0]!);
  }

  /** Opens a form with those chosen in it; what needs nothing more is looked at at once. */
  open(form: Form): void {
    const given: Values = {};
    for (const slot of form.slots ?? []) {
      if (slot.slot !== "choice" || !slot.many) continue;
      const ids = slot.choices.map((choice) => choice.id);
      const chosen = this.picked.filter((id) => ids.includes(id));
      const guns = chosen.length ? [] : slot.choices.filter((choice) => this.isForAll(choice.id, choice.label)).map((choice) => choice.id);
      if (chosen.length || guns.length) given[slot.name] = ids.filter((id) => chosen.includes(id) || guns.includes(id)).slice(0, slot.most ?? 1);
    }
    this.act = null;
    this.table.open(form, given);
  }

  /** A weapon of those chosen that is not used up by firing. */
  private isForAll(id: string, label: string): boolean {
    const { scene, view } = this.table.battle;
    const owner = view?.pieces?.[id]?.group ?? "";
    const row = Object.values(scene?.weapons ?? {}).find((weapon) => weapon.name === label);
    return this.picked.includes(owner) && !row?.["once"];
  }

  /** What needs no choice and no look is given by one tap. */
  async give(form: Form): Promise<void> {
    if (form.slots?.length) {
      this.table.open(form);
      return;
    }
    this.isGiving = true;
    this.fault = [];
    try {
      const { key, order, problem } = await this.table.battle.giveAtOnce(form, this.table.actFor);
      if (problem) {
        // It is said here, above what may be done.
        this.table.battle.dismiss(key);
        this.fault = problem.isStale ? [words.order.tapAgain(form.label)] : reasonsOf(problem);
      }
      else if (order?.status === "refused") this.fault = (order.refusals ?? []).map((refusal) => refusal.reason);
    } finally {
      this.isGiving = false;
    }
  }

  /** Places in words. */
  placesSaid(places: readonly Cell[]): string {
    const scene = this.table.battle.scene;
    return scene ? places.map((at) => nameOfPlace(boardOf(scene), at)).join(", ") : "";
  }

  // The glass: from a hex everything that is seen, to a second one the line

  startLooking(): void {
    this.isLooking = true;
    this.sight = null;
    this.line = null;
    this.sightFault = "";
    if (this.at) void this.look(this.at);
  }

  stopLooking(): void {
    this.isLooking = false;
    this.sight = null;
    this.line = null;
    this.asked += 1;
  }

  private async look(at: Cell): Promise<void> {
    const scene = this.table.battle.scene;
    if (!scene || !isOnBoard(boardOf(scene), at)) return;
    const from = this.sight?.from;
    const isSecond = from && !this.sight?.to && !isSamePlace(from, at);
    const origin = isSecond ? from : at;
    const ask = ++this.asked;
    this.sightFault = "";
    try {
      const answer = await this.table.battle.sight<SightAnswer>(origin as unknown as Place, isSecond ? (at as unknown as Place) : undefined);
      if (ask !== this.asked) return;
      const board = boardOf(scene);
      this.line = answer.line ?? null;
      this.sight = {
        from: origin,
        field: answer.field,
        to: isSecond ? at : undefined,
        isBlocked: answer.line?.is_blocked ?? false,
        obstacles: (answer.line?.obstacles ?? []).flatMap((obstacle) => {
          const ground = board.byName.get(obstacle.at);
          return ground ? [{ ...obstacle, at: ground.at }] : [];
        }),
      };
    } catch {
      if (ask === this.asked) this.sightFault = words.hex.noSight;
    }
  }
}
