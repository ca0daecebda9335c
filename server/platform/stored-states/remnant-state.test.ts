import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRun, isNewRun } from '../../engine/create-run.ts';
import { newRow } from '../runs/start-run.ts';
import { newStateOf } from './remnant-state.ts';

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);

test('a queued run that nobody has begun begins with the state it was created with (RP 6.5)', () => {
  const setups = fc.record({
    run_id: fc.uuid(),
    target: fc.constantFrom('agent' as const, 'workflow' as const),
    input_text: fc.string(),
    environment: maybe(fc.string()),
    timeout_seconds: maybe(fc.double({ min: 0.001, max: 1e6, noNaN: true })),
    deadline_at: maybe(fc.double({ min: 0, max: 1e10, noNaN: true })),
  });
  const moments = fc.integer({ min: 0, max: 4e12 });
  fc.assert(
    fc.property(setups, moments, (setup, at) => {
      const { state } = createRun(setup, 'queued', at);
      const row = newRow(setup, {
        async_mode: true,
        session_id: null,
        strict: true,
        parent_run_id: null,
        caller: null,
        code_bundle: null,
        metadata: JSON.stringify({ timeout_seconds: setup.timeout_seconds }),
        at,
      });
      expect(isNewRun(state)).toBe(true);
      expect(newStateOf(row)).toEqual(state);
    }),
  );
});
