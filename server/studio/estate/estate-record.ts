import { z } from 'zod';
import { FileCause, SourceFacts } from '../../contract/studio/estate.ts';
import { groupByCause } from '../../gaps/estate/shared-causes.ts';
import { documentFacts } from '../../gaps/estate/source-facts.ts';
import type { Analysis, AnalyzeInput } from '../../importers/analysis.ts';
import { type AnalysisRecord, recordBinding, type StoredGap } from '../analyses/analysis-record.ts';

const StoredCause = FileCause.omit({ count: true }).extend({ gaps: z.array(z.string()) });

/** What an analysis says for the map of a project. */
const StoredEstate = z.strictObject({
  facts: SourceFacts.nullable(),
  causes: z.array(StoredCause),
});
export type StoredEstate = z.infer<typeof StoredEstate>;

/** What a sealed record of this kind is bound to. */
export function estateBinding(projectId: string, analysisId: string): string {
  return `${recordBinding(projectId, analysisId)}\u0000estate`;
}

/** A gap of an analysis as it is stored, or of one that is made. */
type NamedGap = Pick<StoredGap, 'kind' | 'severity' | 'title' | 'detail' | 'source_ref'> & {
  readonly id: string;
};

/** The causes of the gaps of an analysis. */
export function storedCauses(
  gaps: readonly NamedGap[],
  { nodes }: AnalysisRecord['canvas'],
): StoredEstate['causes'] {
  const types = new Map(nodes.map((node) => [node.source_id, node.type]));
  return groupByCause(gaps, (id) => types.get(id)).map(({ cause, gaps: own }) => {
    const { id, kind, severity, title, subject } = cause;
    return { id, kind, severity, title, subject, gaps: own.map((gap) => gap.id) };
  });
}

/** The record as it is sealed. */
export function estateText(
  { source }: AnalyzeInput,
  document: Analysis['document'],
  gaps: readonly NamedGap[],
  canvas: AnalysisRecord['canvas'],
): string {
  const record: StoredEstate = {
    facts: documentFacts(source, document),
    causes: storedCauses(gaps, canvas),
  };
  return JSON.stringify(record);
}

/** Reads an opened record; undefined when it does not hold what it should. */
export function parseEstate(text: string): StoredEstate | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  return StoredEstate.safeParse(document).data;
}
