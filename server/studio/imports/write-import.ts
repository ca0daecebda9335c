import { refuse } from '../../contract/studio/errors.ts';
import type { ImportResult } from '../../contract/studio/imports.ts';
import type { Answer } from '../../http/answer.ts';
import type { AnalysisRow, ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { findByIdentity, insertAnalysis } from '../analyses/analyses-repository.ts';
import { requireRoom } from '../analyses/analysis-caps.ts';
import { insertLedger } from '../analyses/analysis-ledgers-repository.ts';
import { recordBinding } from '../analyses/analysis-record.ts';
import { ledgerBinding } from '../analyses/ledger-record.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireRoot } from '../drafts/draft-files.ts';
import { insertDraft, linkAnalyses } from '../drafts/drafts-repository.ts';
import { beginTreeOperation } from '../drafts/tree-operations.ts';
import { endTreeOperation } from '../drafts/tree-operations-repository.ts';
import { writeTree } from '../drafts/write-tree.ts';
import { estateBinding } from '../estate/estate-record.ts';
import { insertEstate } from '../estate/estates-repository.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { GENERATED_FOLDER } from '../files/canonical-ref.ts';
import { createFile, readFile, removeFile, standingAt } from '../files/tree-files.ts';
import type { Handle } from '../handle.ts';
import { Ahead } from './ahead.ts';
import type { DraftAnalysis, KeptText } from './analyze-together.ts';
import { insertImportKey } from './import-keys-repository.ts';

/** A converted source, ready to be written. */
export interface PreparedImport {
  readonly source: string;
  /** File name of the draft, `.yaml` included. */
  readonly name: string;
  readonly analysis: DraftAnalysis;
  /** What is stored beside the record, once it is made. */
  kept(): Promise<KeptText>;
  readonly payload: string;
  readonly blockingIds: string;
  readonly manualIds: string;
  readonly key: { readonly key: string; readonly request_digest: string } | undefined;
  /** What the caller is told once the import is stored. */
  answer(ref: string, analysisId: string): Answer<ImportResult>;
}

const MAX_RECORD_BYTES = 8 * 1024 * 1024;
const MAX_NAMES = 10_000;
const encoder = new TextEncoder();

interface Known {
  readonly active: string | undefined;
  readonly generation: number;
}

async function requireSpace(
  deps: StudioDeps,
  project: ProjectRow,
  prepared: PreparedImport,
): Promise<Known> {
  const known = await findByIdentity(deps.db, { ...prepared.analysis, project_id: project.id });
  if (known.active !== undefined) return known;
  await requireRoom(deps.db, project, prepared.analysis.output_sha256);
  const parts = [prepared.payload, prepared.blockingIds, prepared.manualIds];
  const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (size > MAX_RECORD_BYTES) {
    const details = { size_bytes: size, limit_bytes: MAX_RECORD_BYTES };
    throw refuse('analysis_too_large', { details });
  }
  return known;
}

interface Placed {
  readonly ref: string;
  /** The note of the file that was just created; undefined when an equal file was there. */
  readonly operation: string | undefined;
  readonly answer: Ahead<Answer<ImportResult>>;
}

/** What is made of an import while the disk works. */
interface Work {
  readonly analysisId: string;
  /** The sealed record; undefined when the analysis is stored already. */
  readonly sealed: Ahead<string> | undefined;
}

/** What is stored beside the record, sealed; undefined when the analysis is stored already. */
type SealedKept = KeptText | undefined;

function candidate(name: string, count: number): string {
  const stem = name.slice(0, -'.yaml'.length);
  return `${stem}${count === 1 ? '' : `-${count}`}.yaml`;
}

/** Puts the text at a name that is free or holds it already; undefined when something else is there. */
async function placeAt(
  deps: StudioDeps,
  project: ProjectRow,
  prepared: PreparedImport,
  work: Work,
  name: string,
): Promise<Placed | undefined> {
  const { spec_yaml, output_sha256 } = prepared.analysis;
  const ref = `${GENERATED_FOLDER}${name}`;
  const answer = new Ahead(() => prepared.answer(ref, work.analysisId));
  const found = await standingAt(project.root, ref);
  if (found === 'file') {
    const content = await readFile(project.root, ref);
    return content?.revision === output_sha256 ? { ref, operation: undefined, answer } : undefined;
  }
  if (found === 'other') return undefined;
  const operation = await beginTreeOperation(deps, deps.db, project.id, ref, output_sha256);
  const creating = createFile(project.root, ref, encoder.encode(spec_yaml));
  work.sealed?.begin();
  answer.begin();
  if (await creating) return { ref, operation, answer };
  await endTreeOperation(deps.db, operation);
  return undefined;
}

/** Finds the draft its place among the generated ones; an edited draft is never touched. */
async function placeDraft(
  deps: StudioDeps,
  project: ProjectRow,
  prepared: PreparedImport,
  work: Work,
): Promise<Placed> {
  for (let count = 1; count <= MAX_NAMES; count += 1) {
    const name = candidate(prepared.name, count);
    const placed = await placeAt(deps, project, prepared, work, name);
    if (placed !== undefined) return placed;
  }
  throw new Error('every name of the draft is taken');
}

function analysisRow(
  deps: StudioDeps,
  { project, principal }: Member,
  prepared: PreparedImport,
  id: string,
  sealed: Ahead<string>,
  generation: number,
): AnalysisRow {
  const { analysis } = prepared;
  return {
    id,
    project_id: project.id,
    source: prepared.source,
    source_sha256: analysis.source_sha256,
    importer: analysis.importer,
    importer_version: analysis.importer_version,
    analyzer_version: analysis.analyzer_version,
    output_sha256: analysis.output_sha256,
    repair_generation: generation,
    state: 'active',
    superseded_by: null,
    blocking_gap_ids: prepared.blockingIds,
    manual_gap_ids: prepared.manualIds,
    payload: sealed.value,
    created_at: deps.timestamp(),
    created_by: principal.id,
  };
}

async function writeRecords(
  deps: StudioDeps,
  trx: Handle,
  member: Member,
  prepared: PreparedImport,
  placed: Placed,
  work: Work,
  kept: SealedKept,
  known: Known,
): Promise<void> {
  const { project, principal } = member;
  const { analysis } = prepared;
  const { analysisId: id, sealed } = work;
  if (sealed !== undefined) {
    const generation = known.generation + 1;
    await insertAnalysis(trx, analysisRow(deps, member, prepared, id, sealed, generation));
  }
  if (kept?.hasLedger === true) {
    await insertLedger(trx, { analysis_id: id, payload: kept.ledger });
  }
  if (kept !== undefined && kept.estate !== null) {
    await insertEstate(trx, { analysis_id: id, payload: kept.estate });
  }
  const now = deps.timestamp();
  await insertDraft(trx, {
    project_id: project.id,
    ref: placed.ref,
    kind: 'spec',
    capabilities: 'read_write',
    origin: 'import',
    registered_at: now,
    registered_by: principal.id,
    last_known_revision: analysis.output_sha256,
  });
  await linkAnalyses(trx, project.id, placed.ref, [id], now);
  if (prepared.key !== undefined) {
    await insertImportKey(trx, { project_id: project.id, ...prepared.key, created_at: now });
  }
  await recordAudit(deps, trx, {
    action: 'import_artifact',
    principal_id: principal.id,
    project_id: project.id,
    outcome: 'allowed',
    detail: {
      source: prepared.source,
      draft: placed.ref,
      analysis_id: id,
      source_sha256: analysis.source_sha256,
    },
  });
  if (placed.operation !== undefined) await endTreeOperation(trx, placed.operation);
}

/**
 * Writes the draft, then every record in one transaction (importers.md 1, checks 18–20). When the
 * records cannot be written the new file goes again; an interruption is undone at the next start.
 */
export async function writeImport(
  deps: StudioDeps,
  member: Member,
  prepared: PreparedImport,
): Promise<Answer<ImportResult>> {
  const { project } = member;
  const known = await requireSpace(deps, project, prepared);
  await requireConfirmedRoot(deps.db, project);
  await requireRoot(project);
  const analysisId = known.active ?? deps.ids.hex();
  const binding = recordBinding(project.id, analysisId);
  const seal = (): string => deps.keyring.seal(prepared.payload, binding);
  const sealed = known.active === undefined ? new Ahead(seal) : undefined;
  const sealKept = async (): Promise<SealedKept> => {
    if (sealed === undefined) return undefined;
    const { hasLedger, ledger, estate } = await prepared.kept();
    const sealOf = (text: string | null, bind: typeof ledgerBinding): string | null =>
      text === null ? null : deps.keyring.seal(text, bind(project.id, analysisId));
    const sealedLedger = sealOf(ledger, ledgerBinding);
    return { hasLedger, ledger: sealedLedger, estate: sealOf(estate, estateBinding) };
  };
  const work: Work = { analysisId, sealed };
  const [placing, keeping] = await Promise.allSettled([
    writeTree(deps, () => placeDraft(deps, project, prepared, work)),
    sealKept(),
  ]);
  if (placing.status === 'rejected') throw placing.reason;
  const placed = placing.value;
  try {
    if (keeping.status === 'rejected') throw keeping.reason;
    const kept = keeping.value;
    await inTransaction(deps.db, (trx) =>
      writeRecords(deps, trx, member, prepared, placed, work, kept, known),
    );
  } catch (error) {
    if (placed.operation !== undefined) await removeFile(project.root, placed.ref);
    throw error;
  }
  return placed.answer.value;
}
