import { sha256Hex } from '../kernel/sha256.ts';

/** Four numbers of 32 bits that differ from run to run. */
type Seeds = readonly [number, number, number, number];

function seedsOf(runId: string): Seeds {
  const hex = sha256Hex(runId);
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 8), 16);
  return [part(0), part(8), part(16), part(24)];
}

let last: { readonly runId: string; readonly seeds: Seeds } | undefined;

/** A run takes thousands of ids one after another: its hash is made once. */
function seedsFor(runId: string): Seeds {
  if (last?.runId !== runId) last = { runId, seeds: seedsOf(runId) };
  return last.seeds;
}

/** Spreads a number of 32 bits over all of them; two numbers never give the same. */
function spread(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The lower 16 bits; a run takes ten thousands of these, and `toString(16)` takes ten times as long. */
function hex(value: number): string {
  return `${BYTES[(value >>> 8) & 0xff]}${BYTES[value & 0xff]}`;
}

/**
 * An id in the shape of a UUID of version 4 that follows from a run and a number within it: whoever
 * repeats a step gives the same ids. Two numbers of a run never share one; of two runs they differ
 * by the SHA-256 of the runs' ids.
 */
export function derivedId(runId: string, seq: number): string {
  const [a, b, c, d] = seedsFor(runId);
  const first = spread((a + seq) | 0);
  const second = spread(b + seq);
  const third = (spread(c ^ seq) & 0x3fffffff) | 0x80000000;
  const fourth = spread((d - seq) | 0);
  const middle = `${hex(second >>> 16)}-${hex((second & 0x0fff) | 0x4000)}-${hex(third >>> 16)}`;
  return `${hex(first >>> 16)}${hex(first)}-${middle}-${hex(third)}${hex(fourth >>> 16)}${hex(fourth)}`;
}
