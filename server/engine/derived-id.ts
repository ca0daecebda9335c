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

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

/**
 * An id in the shape of a UUID of version 4 that follows from a run and a number within it: whoever
 * repeats a step gives the same ids. Two numbers of a run never share one; of two runs they differ
 * by the SHA-256 of the runs' ids.
 */
export function derivedId(runId: string, seq: number): string {
  const [a, b, c, d] = seedsFor(runId);
  const second = hex(spread(b + seq));
  const third = hex(((spread(c ^ seq) & 0x3fffffff) | 0x80000000) >>> 0);
  const middle = `${second.slice(0, 4)}-4${second.slice(5)}-${third.slice(0, 4)}`;
  return `${hex(spread((a + seq) | 0))}-${middle}-${third.slice(4)}${hex(spread((d - seq) | 0))}`;
}
