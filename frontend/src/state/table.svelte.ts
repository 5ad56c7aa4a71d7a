// What a person has in hand at the table: the chosen piece, what may be done with it, the order in the making.

import type { Form, Options, Place, Values, WaitingQuestion } from "../api/types";
import { type BattleState, reasonsOf } from "./battle.svelte";
import { DraftState } from "./draft.svelte";
import { placesOf } from "./format";
import { takenOver } from "./lists";
import { choiceOfPiece, numbered } from "./orders";
import { type Stack, targetOf } from "./stacks";

export class TableState {
  readonly battle: BattleState;
  selected = $state("");
  forms = $state.raw<Form[]>([]);
  general = $state.raw<Options>({ forms: [], subjects: [] });
  isFetching = $state(false);
  fault = $state<string[]>([]);
  /** Why nothing can be ordered with the chosen piece, where the server has something to say of it. */
  why = $state.raw<string[]>([]);
  draft = $state.raw<DraftState | null>(null);
  /** Something to do to one of several, of whom one is to be chosen. */
  stack = $state.raw<Stack | null>(null);
  /** The other piece that what may be done is looked at for. */
  target = $state("");
  flashes = $state.raw<Place[]>([]);
  /** The question whose choices light up on the map, and what is chosen of them. */
  question = $state.raw<WaitingQuestion | null>(null);
  chosen = $state.raw<string[]>([]);
  /** The umpire acts for this command or seat. */
  actFor = $state<string | undefined>(undefined);

  private asked = 0;
  private timer = 0;

  constructor(battle: BattleState) {
    this.battle = battle;
  }

  /** Every id that stands for the choice: a squad lights up with its figures. */
  get selectedIds(): Set<string> {
    if (!this.selected) return new Set();
    return new Set([this.selected, ...(this.battle.view?.groups?.[this.selected]?.pieces ?? [])]);
  }

  get lit(): Map<string, "may" | "chosen"> {
    const lit = new Map<string, "may" | "chosen">();
    const draft = this.draft;
    const slot = draft?.slot?.slot === "choice" ? draft.slot : undefined;
    const light = (choices: { id: string; pieces?: string[] }[], chosen: readonly string[]): void => {
      for (const choice of choices) {
        for (const piece of choice.pieces?.length ? choice.pieces : [choice.id]) {
          if (chosen.includes(choice.id)) lit.set(piece, "chosen");
          else if (!lit.has(piece)) lit.set(piece, "may");
        }
      }
    };
    const unit = this.selectedIds;
    if (draft) {
      for (const piece of draft.form.subject ?? []) if (!unit.has(piece)) lit.set(piece, "chosen");
      for (const each of draft.slots) {
        if (each.slot !== "choice") continue;
        const value = draft.values[each.name];
        const chosen = Array.isArray(value) ? (value as string[]) : value === undefined ? [] : [String(value)];
        if (each === slot && draft.stage === "fill") light(each.choices, chosen);
        else light(each.choices.filter((choice) => chosen.includes(choice.id)), chosen);
      }
    } else if (this.stack) for (const target of this.stack.targets) lit.set(target, "may");
    else if (this.target) lit.set(this.target, "chosen");
    else if (this.question?.question) light(this.question.question.choices, this.chosen);
    return lit;
  }

  /** Numbers that tell pieces of the same name apart, on the map and in the list. */
  get numbers(): Map<string, number> {
    const slot = this.draft?.stage === "fill" && this.draft.slot?.slot === "choice" ? this.draft.slot : undefined;
    const choices = this.draft ? slot?.choices : this.stack ? this.stack.targets.map((id) => ({ id, pieces: [id] })) : this.question?.question?.choices;
    return numbered(choices ?? []);
  }

  get mode(): "look" | "point" | "path" {
    const slot = this.draft?.stage === "fill" ? this.draft.slot : undefined;
    return slot?.slot === "point" || slot?.slot === "path" ? slot.slot : "look";
  }

  /** Asks anew what may be done; called whenever the view or the choice changes. */
  async refresh(): Promise<void> {
    const ask = ++this.asked;
    const { selected, actFor } = this;
    this.isFetching = true;
    try {
      const [general, own] = await Promise.all([
        this.battle.options(undefined, actFor),
        selected ? this.battle.options(selected, actFor) : Promise.resolve(null),
      ]);
      if (ask !== this.asked) return;
      this.general = general;
      this.forms = own?.forms ?? [];
      this.why = (own?.why ?? []).map((refusal) => refusal.reason);
      if (!this.forms.some((form) => form.subject?.includes(this.target))) this.target = "";
      this.stack = null;
      this.fault = [];
      if (this.draft) {
        const wasLookedAt = this.draft.stage === "confirm";
        await this.draft.renew();
        if (wasLookedAt) this.draft.review();
      }
    } catch (fault) {
      if (ask === this.asked) this.fault = reasonsOf(fault);
    } finally {
      if (ask === this.asked) this.isFetching = false;
    }
  }

  select(id: string): void {
    if (id === this.selected) return;
    this.battle.tidy();
    this.closeDraft();
    this.stack = null;
    this.target = "";
    this.selected = id;
    this.forms = [];
    this.why = [];
  }

  /** Begins an order; `given` are values that somebody has chosen already. */
  open(form: Form, given: Values = {}): void {
    this.closeDraft();
    this.battle.tidy();
    this.stack = null;
    this.draft = new DraftState(this.battle, form, this.unitOf(form), this.actFor, { ...this.known(form), ...given });
    this.draft.reviewIfSettled();
  }

  /** What a plan has already of the form by which it is given anew. */
  private known(form: Form): Values {
    const plan = this.battle.view?.plans?.[form.subject?.[0] ?? ""];
    return plan && form.slots?.some((slot) => slot.slot === "list") ? takenOver(form.slots, plan) : {};
  }

  /** A form about a piece that need not be chosen, for whoever leads it. */
  openFor(form: Form, unit: string, actFor: string): DraftState {
    this.closeDraft();
    this.stack = null;
    this.draft = new DraftState(this.battle, form, unit, actFor, this.known(form));
    return this.draft;
  }

  private unitOf(form: Form): string | undefined {
    return this.general.forms.includes(form) ? undefined : this.selected || form.subject?.[0];
  }

  closeDraft(): void {
    this.draft?.drop();
    this.draft = null;
  }

  /** A tap on the map while it looks for pieces. */
  tap(id: string | null): void {
    if (this.draft) {
      if (id) this.draft.tapPiece(id);
      return;
    }
    if (this.stack && id) {
      const at = this.stack.targets.indexOf(id);
      if (at >= 0) this.open(this.stack.forms[at]!);
      return;
    }
    const question = this.question?.question;
    if (question && id) {
      const choice = choiceOfPiece({ slot: "choice", name: "", label: "", choices: question.choices }, id);
      if (choice) {
        const most = question.most ?? 1;
        if (this.chosen.includes(choice)) this.chosen = this.chosen.filter((other) => other !== choice);
        else this.chosen = [...this.chosen, choice].slice(-most);
        return;
      }
    }
    if (!id) {
      this.select("");
      return;
    }
    // Somebody else, to whom something may be done by those chosen.
    if (!this.selectedIds.has(id) && this.forms.some((form) => targetOf(form, this.selected) === id)) {
      this.target = id;
      return;
    }
    const group = this.groupOf(id);
    // The squad first; a second tap goes down to the man.
    if (group && this.selected !== group && this.selected !== id) this.select(group);
    else this.select(id);
  }

  /** The smallest group of a piece that can be ordered about; failing that the one it names itself. */
  private groupOf(id: string): string | undefined {
    const groups = this.battle.view?.groups ?? {};
    const subjects = new Set(this.general.subjects);
    const of = Object.entries(groups)
      .filter(([key, group]) => group.pieces.includes(id) && subjects.has(key))
      .sort(([, a], [, b]) => a.pieces.length - b.pieces.length)[0]?.[0];
    const named = this.battle.view?.pieces?.[id]?.group;
    return of ?? (named && groups[named] ? named : undefined);
  }

  /** Points at a piece on the map for a moment. */
  point(id: string): void {
    this.show([], [id]);
  }

  show(places: readonly Place[], pieces: readonly string[]): Place[] {
    const at = [...places, ...pieces.flatMap((piece) => placesOf(this.battle.view, piece))];
    this.flashes = at;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => (this.flashes = []), 4000);
    return at;
  }
}
