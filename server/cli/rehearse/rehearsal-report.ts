import type { Gap } from '../../importers/analysis.ts';
import type { Item, JsonObject, Outputs } from '../../items/item.ts';

/** One time that a node ran; a list of items for each output, null for one that gave nothing. */
export interface RehearsedRun {
  readonly node: string;
  readonly run: number;
  /** It did not run: `--mock` says what it gave. */
  readonly answered_by?: 'mocked';
  readonly outputs: {
    readonly main: readonly (readonly { readonly json: JsonObject }[] | null)[];
  };
}

/** What the draft does not hold as the source had it, and where. */
interface RehearsalGap extends Pick<Gap, 'kind' | 'severity'> {
  readonly source_label: string;
}

/** What `rehearse --json` prints; nodes by the names that the source gives them. */
export interface Rehearsal {
  readonly status: 'success' | 'error';
  /** In the order in which they ran; a run that failed gave nothing. */
  readonly runs: readonly RehearsedRun[];
  readonly error: { readonly node: string | null; readonly message: string } | null;
  readonly gaps: readonly RehearsalGap[];
}

export function rehearsedRun(
  node: string,
  run: number,
  outputs: Outputs,
  isMocked = false,
): RehearsedRun {
  const jsonOf = ({ json }: Item) => ({ json });
  const main = outputs.map((items) => items?.map(jsonOf) ?? null);
  return { node, run, ...(isMocked ? { answered_by: 'mocked' as const } : {}), outputs: { main } };
}

export function toldGaps(gaps: readonly Gap[]): Rehearsal['gaps'] {
  return gaps.map(({ kind, severity, source_ref }) => {
    return { kind, severity, source_label: source_ref.source_label };
  });
}
