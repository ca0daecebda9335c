import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ResolutionEntry, standingAttestations } from './gap-state.ts';

test('the highest entry of each gap and revision counts, in whatever order the log is read', () => {
  const entry = fc.record({
    gap_id: fc.constantFrom('a', 'b'),
    revision: fc.constantFrom('r', 's'),
    event: fc.constantFrom('attest' as const, 'retract' as const),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (events) => {
      const next = new Map<string, number>();
      const log: ResolutionEntry[] = events.map((item) => {
        const key = `${item.gap_id}${item.revision}`;
        const seq = (next.get(key) ?? 0) + 1;
        next.set(key, seq);
        return { ...item, seq };
      });
      const last = new Map(log.map((item) => [`${item.gap_id}${item.revision}`, item.event]));
      const standing = standingAttestations(log);
      expect(standingAttestations(log.toReversed())).toEqual(standing);
      expect(standing.map((item) => `${item.gap_id}${item.revision}`)).toEqual(
        [...last]
          .filter(([, event]) => event === 'attest')
          .map(([key]) => key)
          .sort(),
      );
    }),
  );
});
