import { toTimestamp } from '../kernel/timestamp.ts';
import type { HoldQuestion, HumanDecision } from './event.ts';
import type { Continuation, HumanRequest } from './human.ts';
import { cancelRun } from './run-end.ts';
import type { Pause } from './state.ts';
import type { Turn } from './turn.ts';

/** In place of a frame: the run waits before its first step. */
const BEFORE_ALL = '';

const BLOCKED_TEXT = 'Human intervention required.';
const REFUSED = 'A person did not let the run begin.';

/** True where a run waits for a person before it has begun. */
export function isHold(pause: Pause | null): boolean {
  return pause?.frame === BEFORE_ALL;
}

function requestFor(turn: Turn, { title, prompt, context }: HoldQuestion): HumanRequest {
  return {
    id: turn.newId(),
    type: 'approval',
    request_type: 'approval',
    title,
    prompt,
    context: { input_text: turn.run.setup.input_text, ...context },
    options: null,
    default_option: null,
    response_role: null,
    requested_by: null,
    assignee: null,
    timeout_seconds: null,
    on_timeout: 'fail',
    metadata: {},
  };
}

function continuationFor(turn: Turn, request: HumanRequest): Continuation {
  const { setup, workflow_name, agent_name, workflow_type } = turn.run;
  const shape = turn.spec.root_workflow?.shape;
  return {
    id: turn.newId(),
    run_id: setup.run_id,
    workflow_name: workflow_name ?? agent_name ?? '',
    workflow_kind: workflow_type === null ? null : (shape ?? null),
    current_step_index: null,
    current_node_id: null,
    current_input: setup.input_text,
    visited_steps: [],
    visited_nodes: [],
    messages: [],
    variables: {},
    pending_human_request_id: request.id,
    pending_human_request: request,
    expires_at: null,
    created_at: toTimestamp(turn.at),
    metadata: {},
  };
}

/** Asks a person whether a run may begin; nothing of it has run. */
export function holdRun(turn: Turn, question: HoldQuestion): void {
  const request = requestFor(turn, question);
  const continuation = continuationFor(turn, request);
  const { escalated_at: _at, original_expires_at: _before, options: _none, ...asked } = request;
  const facts = { continuation_id: continuation.id, request: { ...asked, options: null } };
  turn.emit('human_intervention_requested', {
    workflow_name: turn.run.workflow_name,
    input_preview: turn.preview(turn.run.setup.input_text),
    metadata: facts,
  });
  const input = turn.run.setup.input_text;
  turn.run.status = 'blocked';
  turn.run.output_text = BLOCKED_TEXT;
  turn.run.pause = { frame: BEFORE_ALL, step: BEFORE_ALL, input, request, continuation };
  turn.run.result = { human_intervention_required: true, ...facts };
  turn.checkpoint('human_pause', facts);
  turn.effects.push({ kind: 'ask_human', continuation });
}

/** True where the answer lets the run begin; else the run is cancelled. */
export function letsBegin(turn: Turn, { decision, content }: HumanDecision): boolean {
  turn.run.pause = null;
  turn.run.output_text = null;
  turn.run.result = {};
  if (decision !== 'rejected') return true;
  const why = content ?? '';
  cancelRun(turn, why === '' ? REFUSED : `${REFUSED} ${why}`, false);
  return false;
}
