import type { Analysis, AnalyzeInput, AnalyzeOutcome } from '../../importers/analysis.ts';
import { analyze } from '../../importers/analyze.ts';
import { type LinkFile, linkWorkflows } from '../../importers/link/link-workflows.ts';
import { ledgerText } from '../analyses/ledger-record.ts';
import { estateText } from '../estate/estate-record.ts';
import { sha256 } from '../files/sha256.ts';

/** A file of the same import, there only to resolve calls to it. */
export interface RelatedSource {
  readonly name: string;
  readonly raw: string;
}

/** An analysis as threads hand it over: the draft as text only, since trees are slow to copy. */
export interface Converted extends Omit<Analysis, 'spec' | 'document' | 'ledger'> {
  /** Whether there is a ledger at all. */
  readonly hasLedger: boolean;
  /** The ledger as it is stored; null when there is none or it is too large. */
  readonly ledger: string | null;
  /** What the map of a project reads of it, as it is stored; null for what is not kept. */
  readonly estate: string | null;
}

export type ConvertedOutcome = Converted | Exclude<AnalyzeOutcome, Analysis>;

function analyzeTogether(
  input: AnalyzeInput,
  related: readonly RelatedSource[] = [],
): AnalyzeOutcome {
  const outcome = analyze(input, sha256);
  if (!outcome.ok || related.length === 0 || outcome.calls.length === 0) return outcome;
  const others = related.flatMap(({ name, raw }): LinkFile[] => {
    const other = analyze({ ...input, raw }, sha256);
    return other.ok ? [{ file: name, analysis: other }] : [];
  });
  const [linked] = linkWorkflows([{ file: '', analysis: outcome }, ...others]);
  return linked?.analysis ?? outcome;
}

/**
 * Converts a source; its calls to workflows among `related` are resolved (importers 14). A related
 * file that is refused is as good as not there.
 */
export function convertTogether(
  input: AnalyzeInput,
  related: readonly RelatedSource[] = [],
): ConvertedOutcome {
  const outcome = analyzeTogether(input, related);
  if (!outcome.ok) return outcome;
  const { spec: _tree, document, ledger, ...converted } = outcome;
  const named = converted.gaps.map((gap) => ({ ...gap, id: gap.gap_id }));
  const estate =
    input.ledger === false ? null : estateText(input, document, named, converted.canvas);
  return { ...converted, hasLedger: ledger !== null, ledger: ledgerText(ledger), estate };
}

/** All that an import thread can do, by name. */
export const ANALYSIS_WORK = { convertTogether };

export type AnalysisWork = typeof ANALYSIS_WORK;
