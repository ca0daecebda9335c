import { refuse, STUDIO_ERRORS } from '../../contract/studio/errors.ts';
import type { ImportResult } from '../../contract/studio/imports.ts';
import { type Answer, answer } from '../../http/answer.ts';
import type { Conversion } from '../../importers/analysis.ts';
import { draftName } from '../../importers/draft-name.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type AnalysisRecord, gapIds, recordText, toRecord } from '../analyses/analysis-record.ts';
import { toGap } from '../analyses/read-analysis.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { listLiveBindings } from '../environments/environments-repository.ts';
import { sha256 } from '../files/sha256.ts';
import { isStudioCode } from '../govern/gated-spec.ts';
import type { Converted } from './analysis-threads.ts';
import type { RefusedSource } from './analyze-together.ts';
import { findEarlierDrafts } from './earlier-drafts.ts';
import { requireImportKey, usableKey } from './import-key.ts';
import { writeImport } from './write-import.ts';

export interface ImportInput {
  readonly source: string;
  readonly raw: unknown;
  readonly alias: string | null | undefined;
  readonly source_name: string | null | undefined;
  readonly conversion: Conversion;
  /** Files of the same import, there only to resolve calls to them. */
  readonly related: readonly { readonly source_name: string; readonly raw: string }[];
  readonly idempotencyKey: string | undefined;
}

const MAX_RAW_BYTES = 1_048_576;

function requireRaw(raw: unknown): string {
  if (typeof raw !== 'string' || raw === '') throw refuse('raw_required');
  if (Buffer.byteLength(raw) > MAX_RAW_BYTES) throw refuse('source_too_large');
  return raw;
}

async function requireAlias(
  deps: StudioDeps,
  projectId: string,
  alias: string | undefined,
): Promise<void> {
  const bindings = await listLiveBindings(deps.db, projectId);
  const bound = bindings.length > 0;
  if (!bound && alias !== undefined) throw refuse('project_unbound');
  if (!bound) return;
  if (alias === undefined) throw refuse('alias_required');
  if (!bindings.some((binding) => binding.alias === alias)) throw refuse('unknown_alias');
}

function refusalOf({ code, message, details }: RefusedSource): Refusal {
  if (!isStudioCode(code)) throw new TypeError(`the importer refused with ${code}`);
  const told = { message, ...(details === undefined ? {} : { details }) };
  return new Refusal(code, STUDIO_ERRORS[code], told);
}

async function analyze(
  deps: StudioDeps,
  { project }: Member,
  input: ImportInput,
  raw: string,
): Promise<Converted> {
  const { source, conversion } = input;
  const related = input.related.map(({ source_name: name, raw: text }) => ({ name, raw: text }));
  const first = await deps.analyze({ source, raw, conversion }, related);
  if (!first.ok) throw refusalOf(first);
  const drafts = await findEarlierDrafts(deps, project, first);
  if (drafts.length === 0) return first;
  const again = await deps.analyze({ source, raw, conversion }, related, drafts);
  if (!again.ok) throw refusalOf(again);
  return again;
}

function resultOf(
  analysis: Converted,
  record: AnalysisRecord,
  ref: string,
  analysisId: string,
): ImportResult {
  return {
    analysis_ids: [analysisId],
    draft: { path: ref, revision: analysis.output_sha256 },
    gaps: record.gaps.map((gap) => toGap(analysisId, gap)),
    suggestions: record.suggestions,
    spec_yaml: analysis.spec_yaml,
    summary: analysis.summary,
    artifact: null,
    portability: null,
  };
}

/** The answer as it is sent. */
function inBytes(body: ImportResult): Answer<ImportResult> {
  return { ...answer(body), text: Buffer.from(JSON.stringify(body)) };
}

/** Imports a source: checks in the order of importers.md 1, then draft and records. */
export async function importSource(
  deps: StudioDeps,
  member: Member,
  input: ImportInput,
): Promise<Answer<ImportResult>> {
  const raw = requireRaw(input.raw);
  const alias = input.alias === null || input.alias === '' ? undefined : input.alias;
  await requireAlias(deps, member.project.id, alias);
  const analysis = await analyze(deps, member, input, raw);
  const key = usableKey(input.idempotencyKey);
  const name = draftName(input.source_name, analysis.source_sha256);
  const request_digest = sha256(
    canonicalJson({
      source_id: input.source,
      normalized_source_name: name,
      alias: alias ?? null,
      source_sha256: analysis.source_sha256,
      conversion: input.conversion,
      ...(input.related.length === 0 ? {} : { output_sha256: analysis.output_sha256 }),
    }),
  );
  const record = toRecord(analysis);
  return deps.locks.run(member.project.id, async () => {
    await requireImportKey(deps, member.project.id, key, request_digest);
    return writeImport(deps, member, {
      source: input.source,
      name,
      analysis,
      kept: async () => {
        const kept = await analysis.kept;
        if ('ok' in kept) throw refusalOf(kept);
        return kept;
      },
      payload: recordText(record),
      blockingIds: JSON.stringify(gapIds(record, 'blocking')),
      manualIds: JSON.stringify(gapIds(record, 'manual')),
      key: key === undefined ? undefined : { key, request_digest },
      answer: (ref, id) => inBytes(resultOf(analysis, record, ref, id)),
    });
  });
}
