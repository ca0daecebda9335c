import { findAnalysis } from '../analyses/analyses-repository.ts';
import type { AnalysisRecord } from '../analyses/analysis-record.ts';
import { openRecord } from '../analyses/read-analysis.ts';
import type { StudioDeps } from '../deps.ts';

async function recordOf(
  deps: StudioDeps,
  projectId: string,
  id: string,
): Promise<AnalysisRecord | undefined> {
  const row = await findAnalysis(deps.db, projectId, id);
  if (row === undefined || row.state === 'quarantined' || row.payload === null) return undefined;
  return openRecord(deps, row);
}

/** True when a gap asks for something of the text that no newer analysis asks for. */
function stillAsks(
  record: AnalysisRecord,
  newer: ReadonlySet<string>,
  names: ReadonlySet<string>,
): boolean {
  return record.gaps.some(
    ({ id, severity, spec_ref }) =>
      severity !== 'info' && !newer.has(id) && spec_ref !== null && names.has(spec_ref),
  );
}

/**
 * Analyses of an earlier import that newer ones of the same source take the place of: each of their
 * gaps is in a newer one too, or speaks of a step that the text no longer has. One that cannot be
 * read stays, and all stay beside a text that cannot.
 */
export async function listAnswered(
  deps: StudioDeps,
  projectId: string,
  earlier: readonly string[],
  newer: readonly string[],
  text: string,
): Promise<string[]> {
  if (newer.length === 0) return [];
  const names = await deps.drafts.namesIn(text.length, text);
  if (names === null) return [];
  const asked = new Set<string>();
  for (const id of newer) {
    for (const gap of (await recordOf(deps, projectId, id))?.gaps ?? []) asked.add(gap.id);
  }
  const out: string[] = [];
  for (const id of earlier.filter((one) => !newer.includes(one))) {
    const record = await recordOf(deps, projectId, id);
    if (record !== undefined && !stillAsks(record, asked, names)) out.push(id);
  }
  return out;
}
