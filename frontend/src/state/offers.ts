// Offers that a person may narrow: what the server offers as a whole, as a form in which some of it can be left out.

import type { Choice, Form, View } from "../api/types";
import { isSamePlace } from "../map/hex/lattice";
import { words } from "../words";

/** Leaders may bring in all of the places offered, or fewer: the first stays, each other may be left out. Whether those
 * that are left still reach each other, the server says of the order. */
export function narrowed(form: Form, view: View | null, name: (place: readonly number[]) => string): Form {
  const places = form.fixed?.["places"];
  if (form.verb !== "Activate" || !isPlaces(places) || places.length < 2) return form;
  const { places: _, ...fixed } = form.fixed!;
  const choices = places.map((at, i): Choice => {
    const there = Object.entries(view?.pieces ?? {}).filter(([, piece]) => piece.own && piece.kind === "unit" && piece.at && isSamePlace(piece.at, at));
    return { id: at.join(","), label: name(at), note: there.map(([, piece]) => piece.label).join(", "), pieces: there.map(([id]) => id), at, value: at, must: i === 0 };
  });
  const { note: __, ...rest } = form;
  return { ...rest, fixed, slots: [{ slot: "choice", name: "places", label: words.hex.bringIn, many: true, least: 1, most: places.length, all: true, choices }, ...(form.slots ?? [])] };
}

function isPlaces(value: unknown): value is number[][] {
  return Array.isArray(value) && value.every((place) => Array.isArray(place) && place.length >= 2 && place.every((part) => typeof part === "number"));
}
