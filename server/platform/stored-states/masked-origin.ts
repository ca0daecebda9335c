import type { ResumePoint } from '../../engine/resume-point.ts';
import type { RunState } from '../../engine/state.ts';
import { REDACTED } from '../../kernel/redact.ts';
import type { RunsTable } from '../../store/platform-tables.ts';

type Origin = Pick<RunsTable, 'created_metadata' | 'input_text'>;

function isMasked(row: Origin, kept: string): boolean {
  return [kept, row.created_metadata, row.input_text ?? ''].some((text) => text.includes(REDACTED));
}

/** True when what a rerun goes on from stands masked in the store: its run is over and held secrets. */
export function isMaskedPoint(row: Origin, point: ResumePoint): boolean {
  return isMasked(row, JSON.stringify(point));
}

/**
 * True when what a failed run goes on from stands masked in the store. What went wrong is no part of
 * it: a provider that answers with a masked key leaves the texts of the run whole.
 */
export function isMaskedState(row: Origin, state: RunState): boolean {
  const { error: _error, leg_ends: _ends, ...needed } = state;
  return isMasked(row, JSON.stringify(needed));
}
