import { isObject, type Json } from '../../kernel/json.ts';
import { parseSpecText } from '../../spec/parse-yaml.ts';
import { findAnalysis } from '../analyses/analyses-repository.ts';
import type { AnalysisRecord } from '../analyses/analysis-record.ts';
import { openRecord } from '../analyses/read-analysis.ts';
import type { StudioDeps } from '../deps.ts';

/** Every name that a step of the text may have: keys of mappings and values of `id`. */
function namesIn(value: Json, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      names.add(key);
      if (key === 'id' && typeof item === 'string') names.add(item);
      namesIn(item, names);
    }
  }
}

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
  names: Set<string>,
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
  const { value } = parseSpecText(text, 'yaml');
  if (value === undefined || newer.length === 0) return [];
  const names = new Set<string>();
  namesIn(value, names);
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
