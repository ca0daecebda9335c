import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownRevisions } from './known-revisions.ts';

const START_MS = 1_760_000_000_000;
/** A tick of the clock of a file system, in nanoseconds: local ones, Windows, older drives, FAT. */
const TICKS = [100n, 1_000_000n, 4_000_000n, 10_000_000n, 1_000_000_000n, 2_000_000_000n];

/** A file whose every write leaves the size and the number as they are. */
class RewrittenFile {
  #nowMs: number;
  #content = 0;
  #mtimeNs = 0n;
  #ctimeNs = 0n;
  readonly #tickNs: bigint;
  /** Some drives tell, in place of the time of the last change, when the file was made. */
  readonly #bornNs: bigint | undefined;

  constructor(tickNs: bigint, nowMs: number, hasChangeTime: boolean) {
    this.#tickNs = tickNs;
    this.#nowMs = nowMs;
    this.#bornNs = hasChangeTime ? undefined : BigInt(nowMs) * 1_000_000n + 10_000_000n;
    this.write();
  }

  #stamp(): bigint {
    // What a second holds beside whole ticks, as the clock of a running system shows it.
    const nowNs = BigInt(this.#nowMs) * 1_000_000n + (this.#tickNs < 1_000_000_000n ? 300n : 0n);
    return nowNs - (nowNs % this.#tickNs);
  }

  write(): void {
    this.#content += 1;
    this.#mtimeNs = this.#stamp();
    this.#ctimeNs = this.#bornNs ?? this.#mtimeNs;
  }

  /** As a copy does that keeps the time of its original. */
  backdate(): void {
    if (this.#bornNs !== undefined) return;
    this.#mtimeNs = BigInt(START_MS - 86_400_000) * 1_000_000n + 700n;
    this.#ctimeNs = this.#stamp();
  }

  wait(ms: number): void {
    this.#nowMs += ms;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get state() {
    return { dev: 1n, ino: 2n, size: 3n, mtimeNs: this.#mtimeNs, ctimeNs: this.#ctimeNs };
  }

  get revision(): string {
    return `${this.#content}`;
  }
}

test('no write is missed, however coarse the stamps of the file system are', () => {
  const steps = fc.array(
    fc.oneof(
      fc.constantFrom<'write' | 'backdate' | 'look'>('write', 'look', 'look', 'backdate'),
      fc.nat({ max: 30 }),
      fc.nat({ max: 4000 }),
    ),
    { minLength: 5, maxLength: 60 },
  );
  const tickings = fc.tuple(fc.constantFrom(...TICKS), fc.boolean());
  let met = 0;
  fc.assert(
    fc.property(tickings, fc.nat({ max: 2999 }), steps, ([tick, hasChangeTime], at, all) => {
      const file = new RewrittenFile(tick, START_MS + at, hasChangeTime);
      const known = new KnownRevisions();
      for (const step of all) {
        if (typeof step === 'number') file.wait(step);
        else if (step !== 'look') file[step]();
        else {
          const found = known.find('a', file.state);
          if (found !== undefined) {
            met += 1;
            expect(found).toBe(file.revision);
          }
          known.keep('a', file.state, file.revision, file.nowMs);
        }
      }
    }),
    { numRuns: 2000 },
  );
  expect(met).toBeGreaterThan(100);
});

const STATE = { dev: 1n, ino: 2n, size: 3n, mtimeNs: 5_000_000_001n, ctimeNs: 5_000_000_001n };

test('a file that differs in anything has to be read, and one of which nothing is known', () => {
  const known = new KnownRevisions();
  known.keep('a', STATE, 'x', 9000);
  expect([known.has('a'), known.find('a', { ...STATE })]).toEqual([true, 'x']);
  for (const part of ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const) {
    expect(known.find('a', { ...STATE, [part]: STATE[part] + 1n }), part).toBeUndefined();
  }
  expect([known.has('b'), known.find('b', STATE)]).toEqual([false, undefined]);
});

test('a file that is written again and again is read again and again', () => {
  const known = new KnownRevisions();
  known.keep('a', STATE, 'x', 9000);
  known.keep('a', { ...STATE, ctimeNs: 9_000_000_001n }, 'y', 9001);
  expect(known.has('a')).toBe(false);
});

test('a clock of the drive that is ahead makes nothing known', () => {
  const known = new KnownRevisions();
  known.keep('a', STATE, 'x', 4000);
  expect(known.has('a')).toBe(false);
});

test('of more files than it holds, the last ones are known', () => {
  const known = new KnownRevisions(3);
  for (const name of ['a', 'b', 'c', 'a', 'd']) known.keep(name, STATE, name, 9000);
  expect(['a', 'b', 'c', 'd'].filter((name) => known.has(name))).toEqual(['a', 'c', 'd']);
});
