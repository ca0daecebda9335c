import type { RunResult } from '../../contract/platform/runs.ts';
import { failureClass } from '../../engine/failure.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { PlatformDeps } from '../deps.ts';
import { LARGE_SPEC } from '../large-spec.ts';
import { parseObject, redactText } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import { getShortRow, traceReader } from '../run-record/get-run.ts';
import { toRunResult } from '../run-record/run-view.ts';
import type { BuildProblem } from '../specs/build-run.ts';
import { specInvalid } from '../specs/prepare-spec.ts';
import type { LegTail } from './leg-tail.ts';
import type { LegEnd } from './running-leg.ts';
import { writeTail } from './write-tail.ts';

/** How a thrown failure of a synchronous run answers over HTTP (contract/platform.md 4.2). */
function refusalOf(error: { type: string; message: string }): Refusal {
  const message = redactText(error.message);
  switch (failureClass(error.type)) {
    case 'guardrail_violation':
      return refuse('guardrail_violation', { message, details: { violation_type: error.type } });
    case 'token_budget_exceeded':
      return refuse('token_budget_exceeded', { message });
    case 'budget_exceeded':
      return refuse('budget_exceeded', { message });
    case 'run_limit_exceeded':
      return refuse('run_limit_exceeded', { message });
    case 'run_stopped':
      return refuse('run_stopped', { message });
    case 'code_not_trusted':
    case 'code_unusable':
      return refuse(failureClass(error.type), { message });
    case 'spec_invalid':
      return refuse('spec_invalid', { message, details: { diagnostics: [] } });
    case 'invalid_request':
      return refuse('invalid_request', { message });
    case 'environment_policy_blocked':
      return refuse('environment_policy_blocked', { message, details: { diagnostics: [] } });
    case 'internal_error':
      return refuse('internal_error');
  }
}

function problemRefusal(problem: BuildProblem): Refusal {
  return problem.type === 'SpecCompilationError'
    ? specInvalid(problem.diagnostics, redactText(problem.message))
    : refusalOf(problem);
}

/**
 * The answer of an operation that executed a leg. A leg that somebody else ended answers with the
 * stored state.
 * @throws Refusal for what the engine threw.
 */
export function legAnswer(deps: PlatformDeps, runId: string, end: LegEnd): RunResult {
  if (end.kind === 'unbuildable') throw problemRefusal(end.problem);
  if (end.kind === 'settled' && end.result !== null) return end.result;
  const row = getShortRow(deps, runId);
  if (end.kind === 'settled' && row.status === 'failed' && end.outcome.thrown) {
    throw refusalOf(end.outcome.error ?? { type: 'RuntimeError', message: '' });
  }
  // Of a large spec the redacted text is stored: making it again would hold the loop.
  const large = row.created_metadata.length > LARGE_SPEC;
  const shown = large ? deps.runList.shown(runId)?.metadata : undefined;
  const created = shown === undefined ? undefined : parseObject(shown);
  const result = toRunResult(row, traceReader(deps), created);
  if (end.kind === 'lost') result.metadata['reentry_skipped'] = true;
  if (row.status === 'cancelled') result.metadata['cancelled'] = true;
  return result;
}

/**
 * As legAnswer; what the answer leaves in the store is written now where the leg's own transaction
 * could not write it, because somebody else ended the run.
 * @throws Refusal for what the engine threw.
 */
export async function answerWithTail(
  deps: PlatformDeps,
  runId: string,
  end: LegEnd,
  tail: LegTail,
): Promise<RunResult> {
  const result = legAnswer(deps, runId, end);
  if (end.kind === 'lost') await deps.commits.add(() => writeTail(deps, tail, result, 200));
  return result;
}
