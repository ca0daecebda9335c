import {
  compileSpec,
  reportSpecPolicy,
  validateSpec,
} from '../../contract/platform/client-routes.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { StageView } from '../../contract/studio/govern.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { required } from '../../platform-client/answers.ts';
import type { CallOptions, PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { StudioDeps } from '../deps.ts';
import { readCompilation, readPolicyReport, readValidation } from '../platform-answers.ts';
import { onPlatform } from './platform-refusal.ts';

/** What a stage needs of the platform. */
export interface StageCall {
  readonly client: PlatformClient;
  readonly document: JsonObject;
  readonly environment: string;
  readonly signal: AbortSignal;
}

const KEPT = {
  validate: ['valid', 'diagnostics'],
  compile: ['ok', 'diagnostics', 'summary'],
  policy_report: ['valid', 'report'],
} as const;

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function toStage(
  stage: StageView['stage'],
  ok: boolean,
  answer: Readonly<Record<string, unknown>>,
): StageView {
  const kept = KEPT[stage].filter((name) => !isEmpty(answer[name]));
  return { stage, ok, detail: Object.fromEntries(kept.map((name) => [name, answer[name]])) };
}

function bodyOf(call: StageCall) {
  return { spec: call.document, environment: call.environment };
}

async function validate(call: StageCall, options: CallOptions): Promise<StageView> {
  const answer = await call.client.read(
    validateSpec,
    readValidation,
    { body: bodyOf(call) },
    options,
  );
  return toStage('validate', required(answer.valid, 'valid'), answer);
}

/** Findings of the build stage come as a refusal of the whole call; they are a verdict all the same. */
async function compile(call: StageCall, options: CallOptions): Promise<StageView> {
  try {
    const answer = await call.client.read(
      compileSpec,
      readCompilation,
      { body: { ...bodyOf(call), strict: true } },
      options,
    );
    return toStage('compile', required(answer.ok, 'ok'), answer);
  } catch (error) {
    const verdict =
      error instanceof PlatformError && error.status === 400 && error.code === 'spec_invalid';
    if (!verdict) throw error;
    const { diagnostics } = error.details;
    return {
      stage: 'compile',
      ok: false,
      detail: isEmpty(diagnostics) ? { message: error.message } : { ok: false, diagnostics },
    };
  }
}

async function policyReport(call: StageCall, options: CallOptions): Promise<StageView> {
  const answer = await call.client.read(
    reportSpecPolicy,
    readPolicyReport,
    { body: bodyOf(call) },
    options,
  );
  return toStage('policy_report', required(answer.valid, 'valid'), answer);
}

const RUN = { validate, compile, policy_report: policyReport } as const;
const ORDER = ['validate', 'compile', 'policy_report'] as const;

/**
 * Runs the stages up to `last` in their order and stops at the first that says no; a stage that did
 * not run is absent (studio.md 9.4, 10).
 */
export async function runStages(
  deps: StudioDeps,
  call: StageCall,
  last: StageView['stage'],
): Promise<StageView[]> {
  const stages: StageView[] = [];
  for (const stage of ORDER.slice(0, ORDER.indexOf(last) + 1)) {
    const view = await onPlatform(deps, () => RUN[stage](call, { signal: call.signal }));
    stages.push(view);
    if (!view.ok) break;
  }
  return stages;
}

/** The refusal that names the stages that ran and what they said. */
export function governanceFailed(stages: readonly StageView[]) {
  return refuse('artifact_governance_failed', { details: { stages } });
}
