import type { HumanResume, HumanResumeResult } from '../../contract/platform/human-tasks.ts';
import type { HumanDecision } from '../../engine/event.ts';
import type { ContinuationsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { type LegTail, toResumeResult } from '../legs/leg-tail.ts';
import { answerWithTail } from '../legs/run-outcome.ts';
import type { Principal } from '../principal.ts';
import { parseObject } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import { takeLock } from '../take-lock.ts';
import { answerTask, refuseExpired, stateConflict } from './answer-task.ts';

/** Tags of this form select the continuation, not one request (contract/platform.md 3.8). */
const UNCOMPARED_REQUEST = /^dash-[0-9a-f]{32}$/;

function refuseUnknownOption(task: ContinuationsTable, body: HumanResume): void {
  const options = parseObject(task.request)['options'];
  if (body.decision !== 'selected' || body.selected_option === null) return;
  if (!Array.isArray(options) || options.length === 0) return;
  if (options.includes(body.selected_option)) return;
  const msg = 'Value error, selected_option is none of the options';
  throw refuse('request_invalid', {
    message: `body.selected_option: ${msg}`,
    details: { errors: [{ loc: ['body', 'selected_option'], msg, type: 'value_error' }] },
  });
}

export interface ResumeInput {
  readonly continuationId: string;
  readonly body: HumanResume;
  readonly principal: Principal;
}

/**
 * Answers a human task and executes the rest of the run before it answers.
 * @throws Refusal in the order of contract/platform.md 6.4.
 */
export async function resumeHumanTask(
  deps: PlatformDeps,
  input: ResumeInput,
): Promise<HumanResumeResult> {
  const { continuationId, body } = input;
  const resource = `continuation:${continuationId}`;
  // The task of an answer that still executes is gone, but whoever gives it holds the lock.
  if (deps.continuations.find(continuationId) === undefined && !deps.locks.isHeld(resource)) {
    throw refuse('not_found');
  }
  const release = await takeLock(deps, resource);
  if (release === undefined) throw refuse('resource_locked', { details: { resource } });
  try {
    const task = deps.continuations.find(continuationId);
    if (task === undefined) throw refuse('not_found');
    refuseExpired(deps, task);
    const row = deps.runs.find(task.run_id);
    if (row === undefined) throw refuse('not_found');
    if (row.status !== 'blocked') throw stateConflict(row, 'resume');
    if (body.request_id !== task.request_id && !UNCOMPARED_REQUEST.test(body.request_id)) {
      throw stateConflict(row, 'resume', 'request_id is not the pending request of this task.');
    }
    refuseUnknownOption(task, body);
    const decision: HumanDecision = {
      decision: body.decision,
      content: body.content,
      selected_option: body.selected_option,
    };
    const tail: LegTail = {
      audit: [
        {
          event_type: 'human.decision',
          actor: input.principal.name,
          run_id: row.id,
          continuation_id: continuationId,
          metadata: {
            request_id: body.request_id,
            decision: body.decision,
            has_content: body.content !== null && body.content !== '',
            selected_option: body.selected_option,
          },
          adds: 'status',
        },
      ],
      record: input.principal.pendingRecord,
      body: 'human_task',
    };
    const end = await answerTask(deps, row, decision, 'resume', tail);
    return toResumeResult(await answerWithTail(deps, row.id, end, tail));
  } finally {
    await release();
  }
}
