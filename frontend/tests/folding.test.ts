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
    const lines = [line("Red: Search.", "phase"), line("A shot."), line("Red ends the phase.", "phase"), line("Turn 2.", "turn"), line("Red: March.", "phase")];
    const rows = folded(lines);
    expect(rows.map((row) => row.text)).toEqual(lines.map((each) => each.line.text));
    expect(rows.flatMap((row) => row.entries)).toEqual(lines);
  });

  it("say the last where none names whose it is", () => {
    expect(folded([line("Red ends the phase.", "phase"), line("Blue ends the phase.", "phase")])[0]!.text).toBe("Blue ends the phase.");
  });
});
