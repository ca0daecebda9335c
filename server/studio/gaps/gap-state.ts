import { compareCodePoints } from '../../kernel/canonical-json.ts';

/** One entry of the log of attestations and retractions. */
export interface ResolutionEntry {
  readonly gap_id: string;
  readonly revision: string;
  readonly seq: number;
  readonly event: 'attest' | 'retract';
}

/**
 * Folds the log: for each gap and revision the entry of the highest seq counts (studio.md 8.4).
 * Ascending by gap, then revision.
 */
export function standingAttestations(
  log: readonly ResolutionEntry[],
): { gap_id: string; revision: string }[] {
  const latest = new Map<string, ResolutionEntry>();
  for (const entry of log) {
    const key = `${entry.revision}\u0000${entry.gap_id}`;
    const known = latest.get(key);
    if (known === undefined || known.seq < entry.seq) latest.set(key, entry);
  }
  return [...latest.values()]
    .filter((entry) => entry.event === 'attest')
    .map(({ gap_id, revision }) => ({ gap_id, revision }))
    .sort(
      (a, b) => compareCodePoints(a.gap_id, b.gap_id) || compareCodePoints(a.revision, b.revision),
    );
}
