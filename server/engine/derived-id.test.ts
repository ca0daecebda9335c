import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedId } from './derived-id.ts';

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an id has the shape of a UUID of version 4 and follows from the run and the number', () => {
  const runs = fc.oneof(fc.uuid(), fc.string());
  fc.assert(
    fc.property(runs, runs, fc.nat(), (run, other, seq) => {
      const id = derivedId(run, seq);
      expect(id).toMatch(SHAPE);
      expect(derivedId(other, seq) === id).toBe(other === run);
      expect(derivedId(run, seq)).toBe(id);
    }),
  );
});

test('no two numbers of a run share an id, nor do runs of neighbouring ids', () => {
  const seen = new Set<string>();
  const count = 50_000;
  for (const run of [
    '01a1ff22-627e-4d0f-9012-503d52d7d5de',
    '01a1ff22-627e-4d0f-9012-503d52d7d5df',
  ]) {
    for (let seq = 0; seq < count; seq += 1) seen.add(derivedId(run, seq));
  }
  expect(seen.size).toBe(2 * count);
});
