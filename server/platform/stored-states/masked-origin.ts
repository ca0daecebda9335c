import type { ResumePoint } from '../../engine/resume-point.ts';
import type { RunState } from '../../engine/state.ts';
import { isObject } from '../../kernel/json.ts';
import { REDACTED } from '../../kernel/redact.ts';
import type { RunsTable } from '../../store/platform-tables.ts';

type Origin = Pick<RunsTable, 'created_metadata' | 'input_text'>;

function isMasked(row: Origin): boolean {
  return [row.created_metadata, row.input_text ?? ''].some((text) => text.includes(REDACTED));
}

/** True when a text of a value holds a mask. A text that stands in many places is looked at once. */
function holdsMask(value: unknown, seen: Set<string>): boolean {
  if (typeof value === 'string') {
    if (seen.has(value)) return false;
    seen.add(value);
    return value.includes(REDACTED);
  }
  if (Array.isArray(value)) return value.some((item) => holdsMask(item, seen));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => name.includes(REDACTED) || holdsMask(member, seen),
  );
}

/** True when what a rerun goes on from stands masked in the store: its run is over and held secrets. */
export function isMaskedPoint(row: Origin, point: ResumePoint): boolean {
  return isMasked(row) || holdsMask(point, new Set());
}

/**
 * True when what a failed run goes on from stands masked in the store. What went wrong is no part of
 * it: a provider that answers with a masked key leaves the texts of the run whole.
 */
export function isMaskedState(row: Origin, state: RunState): boolean {
  const { error: _error, leg_ends: _ends, ...needed } = state;
  return isMasked(row) || JSON.stringify(needed).includes(REDACTED);
}
