import { runSpec } from '../../contract/platform/client-routes.ts';
import type { RecordingChoice } from '../../contract/platform/recordings.ts';
import { refuse } from '../../contract/studio/errors.ts';
import {
  type PlatformTestRun,
  type StudioTestRun,
  TEST_RUN_SESSION,
} from '../../contract/studio/test-runs.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { required } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { TestRunRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { tellOfArtifactRun } from '../audit/tell-dashboard.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { LOCAL_PROFILE } from '../environments/platform-connections.ts';
import { type OpenArtifact, openArtifact } from '../govern/open-artifact.ts';
import { toPlatformRefusal } from '../govern/platform-refusal.ts';
import { readStarted } from '../platform-answers.ts';
import { requireStillMember } from '../session/authorize.ts';
import { requirePlatformVersion } from './platform-version.ts';
import { toTestRunView } from './test-run-view.ts';
import { changePending, insertTestRun, readTestRunRow } from './test-runs-repository.ts';

export interface TestRunInput {
  readonly artifact_id: string;
  readonly input: string;
  readonly recording?: RecordingChoice | undefined;
}

/** The own platform is told where the run belongs, since its code is in that project's folder. */
function metadataOf(member: Member, opened: OpenArtifact, recording: RecordingChoice | undefined) {
  const authoring = { project_id: member.project.id, artifact_id: opened.artifact.id };
  const metadata = {
    ...(opened.binding.profile_name === LOCAL_PROFILE ? { authoring } : {}),
    ...(recording === undefined ? {} : { recording }),
  };
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

function newRow(
  deps: StudioDeps,
  member: Member,
  opened: OpenArtifact,
  { input, recording }: TestRunInput,
): { row: TestRunRow; body: Record<string, unknown> } {
  const { artifact, binding, gated } = opened;
  const id = deps.ids.hex();
  const now = deps.timestamp();
  const body = {
    input,
    spec: gated.document,
    environment: binding.platform_environment,
    session_id: `${TEST_RUN_SESSION}${id}`,
    async_mode: true,
    ...metadataOf(member, opened, recording),
  };
  const row: TestRunRow = {
    id,
    project_id: member.project.id,
    artifact_id: artifact.id,
    status: 'pending',
    phase: 'pre_connect',
    alias: binding.alias,
    alias_generation: binding.generation,
    profile_name: binding.profile_name,
    platform_environment: binding.platform_environment,
    platform_session_id: body.session_id,
    idempotency_key: deps.ids.uuid(),
    request_sha256: sha256Hex(canonicalJson(body)),
    platform_run_id: null,
    cancel_requested_at: null,
    recovery_attempts: 0,
    lease_until: null,
    created_by: member.principal.id,
    created_at: now,
    updated_at: now,
  };
  return { row, body };
}

async function failToStart(deps: StudioDeps, row: TestRunRow): Promise<void> {
  const change = { status: 'failed_to_start', phase: 'done' } as const;
  await changePending(deps.db, row.id, change, deps.timestamp());
}

/** A refusal with the run's id among its details. */
function aboutRun(deps: StudioDeps, error: unknown, row: TestRunRow): unknown {
  const details = { test_run_id: row.id };
  if (error instanceof PlatformError)
    return toPlatformRefusal(error, () => deps.ids.hex(), details);
  if (!(error instanceof Refusal)) return error;
  return new Refusal(
    error.code,
    { status: error.status, message: error.message },
    {
      details: { ...error.details, ...details },
      cause: error,
    },
  );
}

/** The last look before the run leaves: still a member, artifact live, nobody else sent it. */
async function crossBoundary(deps: StudioDeps, member: Member, row: TestRunRow): Promise<void> {
  const { project, principal } = member;
  await inTransaction(deps.db, async (trx) => {
    await requireStillMember(trx, project.id, principal.id, 'editor');
    await requireLiveArtifact(trx, project.id, row.artifact_id);
    const sent = await changePending(
      trx,
      row.id,
      { phase: 'sent' },
      deps.timestamp(),
      'pre_connect',
    );
    if (!sent) throw refuse('test_run_dispatch_conflict');
  });
}

/** True when the platform surely did not take the run: then it failed to start, else it stays pending. */
function isDefinite(error: unknown): boolean {
  if (!(error instanceof PlatformError) || error.status === undefined) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 409;
}

async function dispatch(
  deps: StudioDeps,
  client: PlatformClient,
  row: TestRunRow,
  body: Record<string, unknown>,
): Promise<{ runId: string; firstWord: PlatformTestRun }> {
  try {
    const options = { attempts: 1, idempotencyKey: row.idempotency_key };
    const answer = await client.read(runSpec, readStarted, { body }, options);
    const runId = required(answer.run_id, 'run_id');
    const status = answer.status ?? 'queued';
    const output_text = answer.output_text ?? null;
    return { runId, firstWord: { error: null, output_text, status, usage: null } };
  } catch (error) {
    if (isDefinite(error)) await failToStart(deps, row);
    throw aboutRun(deps, error, row);
  }
}

async function finish(
  deps: StudioDeps,
  member: Member,
  row: TestRunRow,
  runId: string,
): Promise<TestRunRow> {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.timestamp();
    const change = { status: 'started', phase: 'done', platform_run_id: runId } as const;
    const mine = await changePending(trx, row.id, change, now);
    const stored = await readTestRunRow(trx, row.id);
    if (!mine && stored.platform_run_id !== runId) {
      throw refuse('test_run_finalization_conflict', { details: { test_run_id: row.id } });
    }
    await recordAudit(deps, trx, {
      action: 'start_test_run',
      principal_id: member.principal.id,
      project_id: member.project.id,
      outcome: 'allowed',
      run_id: runId,
      detail: { test_run_id: row.id, artifact_id: row.artifact_id },
    });
    return stored;
  });
}

/**
 * Starts a run of an artifact on the platform it is frozen to (studio.md 12). The input is sent and
 * not stored; the row says at every moment how far it came, so that a crash is told apart later.
 */
export async function startTestRun(
  deps: StudioDeps,
  member: Member,
  input: TestRunInput,
): Promise<StudioTestRun> {
  const opened = await openArtifact(deps, member.project, input.artifact_id);
  const client = await deps.connections.clientFor(deps.db, opened.binding);
  const { row, body } = newRow(deps, member, opened, input);
  await insertTestRun(deps.db, row);
  try {
    await requirePlatformVersion(client, { alias: row.alias, test_run_id: row.id });
    await crossBoundary(deps, member, row);
  } catch (error) {
    await failToStart(deps, row);
    throw aboutRun(deps, error, row);
  }
  const act = { action: 'launch.run', row, client, spec: opened.gated.document } as const;
  const { runId, firstWord } = await dispatch(deps, client, row, body).catch(
    async (error: unknown) => {
      const failed = { ...act, outcome: 'error', run_id: null } as const;
      await tellOfArtifactRun(deps, member.principal, failed);
      throw error;
    },
  );
  const stored = await finish(deps, member, row, runId);
  const started = { ...act, outcome: 'ok', run_id: runId } as const;
  await tellOfArtifactRun(deps, member.principal, started);
  return toTestRunView(stored, firstWord);
}
