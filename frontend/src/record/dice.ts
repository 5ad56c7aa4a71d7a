// The server's dice thrown again: each follows from the secret and from what it was thrown for (docs/api.md).

import type { BattleRecord, Roll } from "../api/types";
// Browsers lend theirs over https only, and a club plays over plain http.
import { hmac } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils";

type Part = string | number;

/** Faces drawn by a name: bytes of the HMAC of the name and the number of the block, those too high left out. */
export function facesByName(secret: Uint8Array, name: readonly Part[], count: number, sides: number): number[] {
  const width = Math.max(1, Math.ceil(Math.log2(sides) / 8));
  const limit = 256 ** width - (256 ** width % sides);
  const faces: number[] = [];
  for (let block = 0; faces.length < count; block += 1) {
    const data = hmac(sha256, secret, utf8ToBytes([...name, block].join("\x1f")));
    for (let at = 0; at + width <= data.length && faces.length < count; at += width) {
      const value = data.slice(at, at + width).reduce((sum, byte) => sum * 256 + byte, 0);
      if (value < limit) faces.push((value % sides) + 1);
    }
  }
  return faces;
}

/** The digest that names an order: of its JSON without blanks, its outermost keys in order. */
export function digestOfOrder(order: Record<string, unknown>): string {
  if (!Object.keys(order).length) return "";
  const sorted = Object.fromEntries(Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1)));
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(sorted))));
}

export interface DiceCheck {
  isCommitted: boolean;
  /** Throws of the server that came out again, those that did not, and those made at the table. */
  same: number;
  other: { depth: number; purpose: string; faces: number[]; expected: number[] }[];
  typed: number;
  /** How often each face fell, by sides. */
  fell: Map<number, number[]>;
}

/** The entries from the root to the head, each on the line on which it stands. */
export function played(record: BattleRecord): BattleRecord["entries"] {
  const lines = new Map(record.lines.map((line) => [line.number, line]));
  const tops = new Map<number, number>();
  let top = record.head.depth;
  for (let line = lines.get(record.head.line); line; line = line.parent === undefined ? undefined : lines.get(line.parent)) {
    tops.set(line.number, top);
    top = Math.min(top, line.fork);
  }
  return record.entries
    .filter((row) => row.depth < (tops.get(row.line) ?? -1) && row.depth >= (lines.get(row.line)?.parent === undefined ? 0 : lines.get(row.line)!.fork))
    .sort((a, b) => a.depth - b.depth);
}

export function checkDice(record: BattleRecord): DiceCheck {
  const secret = hexToBytes(record.secret);
  const dice = new Map(record.lines.map((line) => [line.number, line.dice]));
  const check: DiceCheck = { isCommitted: bytesToHex(sha256(secret)) === record.commitment, same: 0, other: [], typed: 0, fell: new Map() };
  let giver: Part = "";
  let number: Part = 0;
  let digest = "";
  let counts = new Map<string, number>();
  for (const { line, depth, entry } of played(record)) {
    if (entry.entry === "begun") {
      giver = String(entry["giver"] ?? "");
      number = Number(entry["number"] ?? 0);
      digest = digestOfOrder((entry["order"] ?? {}) as Record<string, unknown>);
      counts = new Map();
      continue;
    }
    if (entry.entry !== "thrown") continue;
    const roll = entry["roll"] as Roll;
    const faces = entry["faces"] as number[];
    const [count, sides] = [roll.count ?? 1, roll.sides ?? 6];
    const key = `${roll.purpose}\x1f${roll.subject ?? ""}`;
    const n = counts.get(key) ?? 0;
    counts.set(key, n + 1);
    const fell = check.fell.get(sides) ?? Array.from({ length: sides }, () => 0);
    for (const face of faces) fell[face - 1] = (fell[face - 1] ?? 0) + 1;
    check.fell.set(sides, fell);
    if ((entry["by"] ?? "server") !== "server") {
      check.typed += 1;
      continue;
    }
    const expected = facesByName(secret, ["roll", dice.get(line) ?? 0, giver, number, digest, roll.purpose, roll.subject ?? "", n], count, sides);
    if (expected.join() === faces.join()) check.same += 1;
    else check.other.push({ depth, purpose: roll.purpose, faces, expected });
  }
  return check;
}
