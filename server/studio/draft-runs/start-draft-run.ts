import { runSpec } from '../../contract/platform/client-routes.ts';
import { findingsIn } from '../../contract/platform/findings.ts';
import type { Rehearsal } from '../../contract/platform/rehearsals.ts';
import type { AuthoringFacts, DraftRun } from '../../contract/studio/draft-runs.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { StageView } from '../../contract/studio/govern.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { required } from '../../platform-client/answers.ts';
import { loadSpec } from '../../spec/load/load-spec.ts';
import { answeredFor } from '../../spec/reports/replaceable-parts.ts';
import type { DraftRunRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { tellDashboard } from '../audit/tell-dashboard.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { onPlatform } from '../govern/platform-refusal.ts';
import { openBuffer, type PreviewInput } from '../govern/preview.ts';
import { runStages } from '../govern/stages.ts';
import { readStarted } from '../platform-answers.ts';
import { requireStillMember } from '../session/authorize.ts';
import { insertDraftRun, setPlatformRun } from './draft-runs-repository.ts';

/** Whether nothing is in the way, but for what a rehearsal answers. */
function canRun(
  stages: readonly StageView[],
  document: JsonObject,
  rehearsal: Rehearsal | undefined,
): boolean {
  const refused = stages.find(({ ok }) => !ok);
  if (refused === undefined) return true;
  const { spec } = loadSpec({ base: document });
  if (rehearsal === undefined || spec === undefined || refused.stage !== 'compile') return false;
  const errors = findingsIn(refused.detail).filter(({ severity }) => severity === 'error');
  const isAnswered = answeredFor(spec, rehearsal);
  return errors.length > 0 && errors.every(({ path }) => isAnswered(path));
}

/**
 * Runs the text of an editor on the platform that the alias is bound to. It passes the same gate and
 * stages as an artifact; the row and the run's metadata name the draft, so that the run leads back.
 * The input is sent and not stored.
 */
export async function startDraftRun(
  deps: StudioDeps,
  member: Member,
  input: PreviewInput & { readonly input: string; readonly rehearsal?: Rehearsal | undefined },
  signal: AbortSignal,
): Promise<DraftRun> {
  const { project, principal } = member;
  const buffer = await openBuffer(deps, project, input, signal);
  const stages = await runStages(deps, buffer, 'compile');
  const { rehearsal } = input;
  if (!canRun(stages, buffer.document, rehearsal)) {
    throw refuse('draft_not_runnable', { details: { stages } });
  }
  const { binding, client, document, environment } = buffer;
  const { path, revision } = input.draft;
  const id = deps.ids.hex();
  const text_sha256 = sha256Hex(input.text);
  const row: DraftRunRow = {
    id,
    project_id: project.id,
    draft_ref: path,
    draft_revision: revision,
    text_sha256,
    alias: binding.alias,
    alias_generation: binding.generation,
    platform_session_id: `studio-${id}`,
    platform_run_id: null,
    created_by: principal.id,
    created_at: deps.timestamp(),
  };
  await inTransaction(deps.db, async (trx) => {
    await requireStillMember(trx, project.id, principal.id, 'editor');
    await insertDraftRun(trx, row);
  });
  const authoring: AuthoringFacts = {
    project_id: project.id,
    draft: path,
    revision,
    text_sha256,
    unsaved: text_sha256 !== revision,
  };
  const body = {
    input: input.input,
    spec: document,
    environment,
    session_id: row.platform_session_id,
    async_mode: true,
    metadata: { authoring, ...(rehearsal === undefined ? {} : { rehearsal }) },
  };
  const options = { attempts: 1, idempotencyKey: deps.ids.uuid() };
  const act = {
    action: 'launch.run',
    platform: client.baseUrl,
    environment,
    source: { kind: 'draft', project_id: project.id, ref: path, revision },
    spec: document,
  } as const;
  const runId = await onPlatform(deps, async () => {
    const answer = await client.read(runSpec, readStarted, { body }, options);
    return required(answer.run_id, 'run_id');
  }).catch(async (error: unknown) => {
    await tellDashboard(deps, principal, { ...act, outcome: 'error', run_id: null });
    throw error;
  });
  await inTransaction(deps.db, async (trx) => {
    await setPlatformRun(trx, id, runId);
    await recordAudit(deps, trx, {
      action: 'start_draft_run',
      principal_id: principal.id,
      project_id: project.id,
      outcome: 'allowed',
      run_id: runId,
      detail: { draft: path, revision, text_sha256 },
    });
  });
  await tellDashboard(deps, principal, { ...act, outcome: 'ok', run_id: runId });
  return {
    id,
    platform_run_id: runId,
    draft: { path, revision },
    text_sha256,
    created_at: row.created_at,
  };
}
