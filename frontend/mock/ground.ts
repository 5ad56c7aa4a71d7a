// A table to draw while no server runs: 72 x 48 inches with every kind of terrain the client knows.

import type { Place, Ring, Scene } from "../src/api/types";

/** A wavy ring round a centre: ground that looks like ground. */
export function blob(x: number, y: number, rx: number, ry: number, seed: number, points = 18): Ring {
  const ring: Ring = [];
  for (let i = 0; i < points; i += 1) {
    const angle = (i / points) * 2 * Math.PI;
    const wave = 1 + 0.13 * Math.sin(angle * 3 + seed) + 0.08 * Math.sin(angle * 5 + seed * 2.3);
    ring.push([Math.round(x + rx * wave * Math.cos(angle)), Math.round(y + ry * wave * Math.sin(angle))]);
  }
  return ring;
}

function band(line: Place[], width: number): Ring {
  const left: Ring = [];
  const right: Ring = [];
  line.forEach((at, i) => {
    const before = line[Math.max(0, i - 1)]!;
    const after = line[Math.min(line.length - 1, i + 1)]!;
    const length = Math.hypot(after[0] - before[0], after[1] - before[1]) || 1;
    const nx = (-(after[1] - before[1]) / length) * (width / 2);
    const ny = ((after[0] - before[0]) / length) * (width / 2);
    left.push([Math.round(at[0] + nx), Math.round(at[1] + ny)]);
    right.unshift([Math.round(at[0] - nx), Math.round(at[1] - ny)]);
  });
  return [...left, ...right];
}

const box = (x: number, y: number, w: number, h: number, turn = 0): Ring => {
  const c = Math.cos(turn);
  const s = Math.sin(turn);
  return ([[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2]] as Place[]).map(([dx, dy]) => [
    Math.round(x + dx * c - dy * s),
    Math.round(y + dx * s + dy * c),
  ]);
};

const stream: Place[] = [[3550, 4800], [3500, 4300], [3720, 3800], [3660, 3250], [3400, 2750], [3450, 2300], [3750, 1800], [3680, 1200], [3350, 700], [3400, 0]];

export const scene: Scene = {
  kind: "inches",
  width: 7200,
  depth: 4800,
  unit: 100,
  terrain: [
    { key: "hill", name: "Hill 114", kind: "hill", ring: blob(1300, 3700, 1000, 750, 1), height: 100 },
    { key: "hill_top", name: "", kind: "hill", ring: blob(1200, 3800, 520, 360, 2), height: 100 },
    { key: "jungle_north", name: "North jungle", kind: "jungle", ring: blob(2600, 4050, 800, 600, 3) },
    { key: "jungle_south", name: "Monkey wood", kind: "jungle", ring: blob(2300, 900, 950, 620, 5) },
    { key: "jungle_east", name: "", kind: "jungle", ring: blob(6300, 4000, 750, 620, 7) },
    { key: "forest", name: "Teak", kind: "forest", ring: blob(6500, 900, 560, 560, 8) },
    { key: "scrub_west", name: "", kind: "scrub", ring: blob(1000, 2000, 620, 430, 4) },
    { key: "bush", name: "", kind: "bush", ring: blob(4500, 3900, 520, 380, 6) },
    { key: "paddy_a", name: "Paddy", kind: "paddy", ring: [[4050, 1500], [5000, 1450], [5050, 700], [4150, 650]] },
    { key: "paddy_b", name: "", kind: "paddy", ring: [[5050, 1450], [5900, 1500], [5850, 800], [5100, 760]] },
    { key: "rocks", name: "Rocks", kind: "rocks", ring: blob(500, 3000, 350, 300, 9) },
    { key: "marsh", name: "Marsh", kind: "marsh", ring: blob(3050, 1750, 420, 330, 2.2) },
    { key: "sand", name: "", kind: "soft_sand", ring: blob(4150, 2050, 380, 210, 3.3) },
    { key: "pond", name: "Pond", kind: "water", ring: blob(6500, 2100, 330, 220, 4.4) },
    { key: "village", name: "Ban Nam", kind: "village", ring: blob(5450, 2700, 820, 620, 1.4) },
    { key: "stream", name: "Nam stream", kind: "stream", ring: band(stream, 150) },
    { key: "ford", name: "The ford", kind: "ford", ring: box(3425, 2500, 420, 260, 0.05) },
    { key: "cliff", name: "Cliff", kind: "cliff", ring: [[700, 4350], [1500, 4500], [1520, 4580], [690, 4440]] },
    { key: "house_1", name: "", kind: "building", ring: box(5150, 2950, 260, 170, 0.2), storeys: 1 },
    { key: "house_2", name: "", kind: "building", ring: box(5650, 3000, 300, 200, -0.15), storeys: 2 },
    { key: "house_3", name: "", kind: "building", ring: box(5250, 2330, 220, 160, 0), storeys: 1 },
    { key: "house_4", name: "Temple", kind: "building", ring: box(5850, 2550, 260, 260, 0.4), storeys: 2 },
  ],
  roads: [
    { key: "road", name: "Road to the ford", line: [[0, 2350], [900, 2500], [2100, 2450], [3425, 2520], [4500, 2600], [5400, 2640], [6300, 2800], [7200, 2750]], width: 110 },
    { key: "track", name: "Track", line: [[5420, 2620], [5500, 1900], [5480, 1480], [5500, 0]], width: 70 },
  ],
  lines: [
    { key: "wall", name: "Wall", kind: "wall", line: [[4850, 3150], [4900, 3280], [5900, 3330]] },
    { key: "hedge", name: "Hedge", kind: "hedge", line: [[4780, 2200], [4700, 2450]] },
    { key: "hedge_2", name: "Hedge", kind: "hedge", line: [[6150, 2300], [6250, 3050]] },
  ],
  kinds: {
    open: { label: "Open ground", going: "good" },
    jungle: { label: "Jungle", going: "bad", cover: "hard" },
    forest: { label: "Forest", going: "bad", cover: "hard" },
    scrub: { label: "Scrub", going: "good", cover: "soft" },
    bush: { label: "Bush", going: "bad", cover: "soft" },
    paddy: { label: "Paddy field", going: "bad", cover: "soft" },
    rocks: { label: "Rocks", going: "bad", cover: "hard" },
    village: { label: "Village", going: "good", cover: "soft" },
    building: { label: "Building", going: "good", cover: "hard" },
    water: { label: "Deep water", going: "impassable" },
    stream: { label: "Stream", going: "bad" },
    ford: { label: "Ford", going: "good" },
    marsh: { label: "Marsh", going: "bad" },
    soft_sand: { label: "Soft sand", going: "bad" },
    hill: { label: "Hill", going: "good" },
    cliff: { label: "Cliff", going: "impassable" },
    road: { label: "Road", going: "road" },
    wall: { label: "Wall", cover: "hard" },
    hedge: { label: "Hedge", cover: "soft" },
  },
  rules: {
    "fireforce motivation": "Motivation",
    "fireforce movement": "Movement",
    "fireforce small-arms": "Small arms",
    "fireforce saving-throws": "Saving throws",
    "fireforce searching": "Searching",
    "fireforce visibility": "Visibility",
    "fireforce turn-sequence": "Turn sequence",
    "fireforce cards": "Hidden cards",
    "fireforce victory-points": "Victory points",
    "fireforce target-selection": "Target selection",
  },
  weapons: {
    assault_rifle: { name: "assault rifle", kind: "rifle" },
    lmg: { name: "light machine gun", kind: "lmg" },
    smg: { name: "submachine gun", kind: "smg" },
    pistol: { name: "pistol", kind: "pistol" },
  },
  house: [{ key: "measure.cover_reach", what: "how far a wall shelters in front of it", value: "1 inch" }],
  digest: "mock",
};
