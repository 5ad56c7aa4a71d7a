import { describe, expect, it } from "vitest";

import { folded } from "../src/state/folding";

const line = (text: string, kind = ""): { line: { text: string; kind: string } } => ({ line: { text, kind } });

describe("lines of phases", () => {
  it("are one where nothing came between, each side with its phases", () => {
    const rows = folded([line("Red: Search.", "phase"), line("Red: Fire.", "phase"), line("Red ends the phase.", "phase"), line("Blue: March.", "phase")]);
    expect(rows.map((row) => row.text)).toEqual(["Red: Search, Fire. Blue: March."]);
    expect(rows[0]!.entries).toHaveLength(4);
  });

  it("stay by themselves beside what happened, and nothing is lost or moved", () => {
    const lines = [line("Red: Search.", "phase"), line("A shot."), line("Red ends the phase.", "phase"), line("Turn 2.", "turn"), line("A cry.")];
    const rows = folded(lines);
    expect(rows.map((row) => row.text)).toEqual(lines.map((each) => each.line.text));
    expect(rows.flatMap((row) => row.entries)).toEqual(lines);
  });

  it("are one with the turn that begins with them, so that a turn of the enemy in which nothing is seen is one line", () => {
    const lines = [line("Turn 2: Blue.", "turn"), line("Blue: March.", "phase"), line("Blue ends the phase.", "phase"), line("Blue: Fire.", "phase"), line("Turn 3: Red.", "turn"), line("Red: March.", "phase"), line("A shot.")];
    const rows = folded(lines);
    expect(rows.map((row) => [row.text, row.kind, row.entries.length])).toEqual([["Turn 2: Blue.", "turn", 4], ["Turn 3: Red.", "turn", 2], ["A shot.", "", 1]]);
    expect(rows.flatMap((row) => row.entries)).toEqual(lines);
  });

  it("say the last where none names whose it is", () => {
    expect(folded([line("Red ends the phase.", "phase"), line("Blue ends the phase.", "phase")])[0]!.text).toBe("Blue ends the phase.");
  });
});

describe("the same said again", () => {
  it("is counted where there is nothing to work out", () => {
    const lines = [line("In sight: enemy.", "contact"), line("In sight: enemy.", "contact"), line("In sight: tank.", "contact")];
    expect(folded(lines).map((row) => [row.text, row.entries.length])).toEqual([["In sight: enemy (2 times).", 2], ["In sight: tank.", 1]]);
  });

  it("is not where dice fell each time, nor across what the umpire took back", () => {
    const rolled = { line: { text: "Motivation: 3 + 8 = 11.", kind: "roll", faces: [3] } };
    expect(folded([rolled, rolled])).toHaveLength(2);
    const back = { ...line("Taken back.", "rewind"), kind: "rewind" };
    expect(folded([back, back])).toHaveLength(2);
  });
});
