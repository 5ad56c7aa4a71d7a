/// <reference types="node" />
import { createHash, createHmac } from "node:crypto";

import { describe, expect, it } from "vitest";

import type { BattleRecord } from "../src/api/types";
import { checkDice, digestOfOrder, facesByName, played } from "../src/record/dice";
import { byTurn } from "../src/record/turns";

const SECRET = "00ff10203040506070809000a0b0c0d0";

/** The faces as the documents say it: bytes of the HMAC of the name's parts, those too high left out. */
function fall(name: (string | number)[], sides: number): number {
  const limit = 256 - (256 % sides);
  const bytes = createHmac("sha256", Buffer.from(SECRET, "hex")).update([...name, 0].join("\x1f")).digest();
  return (bytes.find((byte) => byte < limit)! % sides) + 1;
}

const hash = createHash("sha256").update(Buffer.from(SECRET, "hex")).digest("hex");
const order = { verb: "Fire", target: "é", figures: ["b", "a"] };
const digest = createHash("sha256").update('{"figures":["b","a"],"target":"é","verb":"Fire"}').digest("hex");

function record(first: number, more: Partial<BattleRecord> = {}): BattleRecord {
  const row = (line: number, depth: number, entry: BattleRecord["entries"][0]["entry"]): BattleRecord["entries"][0] => ({ line, depth, at: "", version: 1, entry });
  return {
    battle: "b",
    system: "s",
    scenario: "s",
    head: { line: 1, depth: 5, digest: "" },
    commitment: hash,
    secret: SECRET,
    lines: [
      { number: 0, fork: 0, dice: 0, reason: "" },
      { number: 1, parent: 0, fork: 3, dice: 1, reason: "again" },
    ],
    entries: [
      row(0, 0, { entry: "begun", kind: "order", giver: "Red", number: 7, order }),
      row(0, 1, { entry: "thrown", roll: { sides: 20, purpose: "hits", subject: "x" }, faces: [first] }),
      row(0, 2, { entry: "thrown", roll: { sides: 20, purpose: "hits", subject: "x" }, faces: [fall(["roll", 0, "Red", 7, digest, "hits", "x", 1], 20)] }),
      row(0, 3, { entry: "thrown", roll: { purpose: "gone" }, faces: [1] }),
      row(1, 3, { entry: "thrown", roll: { purpose: "save" }, faces: [fall(["roll", 1, "Red", 7, digest, "save", "", 0], 6)] }),
      row(1, 4, { entry: "thrown", roll: { purpose: "typed" }, faces: [3], by: "Red" }),
    ],
    chronicle: [],
    ...more,
  };
}

describe("the server's dice", () => {
  const right = fall(["roll", 0, "Red", 7, digest, "hits", "x", 0], 20);

  it("are named by the order without blanks, its keys in order", () => {
    expect(digestOfOrder(order)).toBe(digest);
    expect(digestOfOrder({})).toBe("");
  });

  it("come out again the same, on the line that was played to the end", () => {
    const check = checkDice(record(right));
    expect(check).toMatchObject({ isCommitted: true, same: 3, other: [], typed: 1 });
    expect(played(record(right)).map((row) => [row.line, row.depth])).toEqual([[0, 0], [0, 1], [0, 2], [1, 3], [1, 4]]);
  });

  it("do not if one was changed, or the secret is another", () => {
    const wrong = (right % 20) + 1;
    expect(checkDice(record(wrong)).other).toMatchObject([{ depth: 1, faces: [wrong], expected: [right] }]);
    expect(checkDice(record(right, { commitment: digest })).isCommitted).toBe(false);
  });

  it("take two bytes for dice of more than 256 sides", () => {
    const name = ["roll", 0];
    const bytes = createHmac("sha256", Buffer.from(SECRET, "hex")).update([...name, 0].join("\x1f")).digest();
    expect(facesByName(Buffer.from(SECRET, "hex"), name, 1, 1000)).toEqual([(bytes.readUInt16BE(0) % 1000) + 1]);
  });
});

describe("a log by turns", () => {
  it("begins a turn with each line that says so", () => {
    const lines = [{ text: "set up" }, { text: "Turn 1: Red.", kind: "turn" }, { text: "a" }, { text: "b" }, { text: "Turn 1: Blue.", kind: "turn" }];
    expect(byTurn(lines.map((line) => ({ line })), "before").map((turn) => [turn.title, turn.entries.length])).toEqual([["before", 1], ["Turn 1: Red", 2], ["Turn 1: Blue", 0]]);
  });
});
