import type { Analysis, AnalyzeInput, AnalyzeOutcome, Origin } from '../../importers/analysis.ts';
import { analyze } from '../../importers/analyze.ts';
import {
  type CalledFile,
  type LinkFile,
  linkWorkflows,
} from '../../importers/link/link-workflows.ts';
import { ledgerText } from '../analyses/ledger-record.ts';
import { estateText } from '../estate/estate-record.ts';
import { sha256 } from '../files/sha256.ts';

/** A file of the same import, there only to resolve calls to it. */
export interface RelatedSource {
  readonly name: string;
  readonly raw: string;
}

/** A draft of the project that an earlier import made, there only to resolve calls to it. */
export interface EarlierDraft {
  readonly ref: string;
  /** What the source calls its workflow. */
  readonly origin: Origin;
  readonly text: string;
  /** Blocking gaps that nobody answered. */
  readonly blocking: number;
}

/** An analysis as threads hand it over: the draft as text only, since trees are slow to copy. */
export type DraftAnalysis = Omit<Analysis, 'spec' | 'document' | 'ledger'>;

/** What is only stored of an analysis, as it is stored. Nobody waits for it before the draft stands. */
export interface KeptText {
  readonly hasLedger: boolean;
  /** Null when there is none or it is too large. */
  readonly ledger: string | null;
  /** What the map of a project reads; null when nothing is kept. */
  readonly estate: string | null;
}

export type RefusedSource = Exclude<AnalyzeOutcome, Analysis>;

/** A conversion in two parts: the second is made when it is asked for. */
export type ConvertedInParts =
  | { readonly draft: DraftAnalysis; kept(): KeptText }
  | { readonly refusal: RefusedSource };

function relatedFiles(input: AnalyzeInput, related: readonly RelatedSource[]): LinkFile[] {
  return related.flatMap(({ name, raw }) => {
    const other = analyze({ ...input, raw }, sha256);
    return other.ok ? [{ file: name, analysis: other }] : [];
  });
}

/** The calls that no file of the same import answers get their drafts. */
function linkDrafts(
  analysis: Analysis,
  others: readonly LinkFile[],
  drafts: readonly EarlierDraft[],
): Analysis {
  const words = new Set(others.flatMap(({ analysis: { origin } }) => [origin.id, origin.name]));
  const calls = analysis.calls.filter(({ wanted }) => !wanted.some((word) => words.has(word)));
  const called = drafts.map(({ ref, origin, text, blocking }): CalledFile => {
    return { file: ref, origin, draft: () => text, blocking, isDraft: true };
  });
  const caller = { file: '', analysis: { ...analysis, calls } };
  const [linked] = linkWorkflows([caller], [caller, ...called]);
  return linked === undefined ? analysis : { ...linked.analysis, calls: analysis.calls };
}

function analyzeTogether(
  input: AnalyzeInput,
  related: readonly RelatedSource[],
  drafts: readonly EarlierDraft[],
): AnalyzeOutcome {
  const outcome = analyze(input, sha256);
  if (!outcome.ok || outcome.calls.length === 0) return outcome;
  const others = relatedFiles(input, related);
  const [linked] = linkWorkflows([{ file: '', analysis: outcome }, ...others]);
  return linkDrafts(linked?.analysis ?? outcome, others, drafts);
}

/** All but what is slow to copy or made last; the ledger is not touched, so it is not made yet. */
function draftOf(analysis: Analysis): DraftAnalysis {
  const { ok, spec_yaml, summary, gaps, suggestions, importer, importer_version } = analysis;
  const { analyzer_version, source_sha256, output_sha256, canvas, origin, calls } = analysis;
  return {
    ...{ ok, spec_yaml, summary, gaps, suggestions, importer, importer_version },
    ...{ analyzer_version, source_sha256, output_sha256, canvas, origin, calls },
  };
}

/**
 * Converts a source; its calls to workflows among `related` are resolved (importers 14), then those
 * to drafts of earlier imports. A related file that is refused is as good as not there.
 */
export function convertTogether(
  input: AnalyzeInput,
  related: readonly RelatedSource[] = [],
  drafts: readonly EarlierDraft[] = [],
): ConvertedInParts {
  const outcome = analyzeTogether(input, related, drafts);
  if (!outcome.ok) return { refusal: outcome };
  const kept = (): KeptText => {
    const { ledger, document, gaps, canvas } = outcome;
    const named = gaps.map((gap) => ({ ...gap, id: gap.gap_id }));
    const estate = input.ledger === false ? null : estateText(input, document, named, canvas);
    return { hasLedger: ledger !== null, ledger: ledgerText(ledger), estate };
  };
  return { draft: draftOf(outcome), kept };
}
