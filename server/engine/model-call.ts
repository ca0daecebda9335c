import { type AppendList, append, listOf } from './append-list.ts';
import type { EffectError, EffectResult } from './event.ts';
import { failure, thrownType } from './failure.ts';
import type { Message } from './message.ts';
import type { AgentFrame, ModelFrame } from './state.ts';
import type { Turn } from './turn.ts';

const PLAN_REQUEST =
  'Write a short numbered plan for the request of the user. Do not carry it out yet and call no tools.';

/** Whether a binding is answered by the offline runtime. */
export function isOffline(provider: string): boolean {
  return provider === 'offline';
}

function sentBy({ sent, base, added }: AgentFrame): AppendList<Message> {
  return append(sent === null ? base : listOf(sent), ...added);
}

function callerOf(turn: Turn, frame: ModelFrame): AgentFrame {
  const caller = turn.parentOf(frame);
  if (caller?.kind === 'agent') return caller;
  throw new TypeError('only an agent asks a model');
}

/** One model call with the retries of its provider (spec-v1 17, 18 no. 9). */
export function enterModel(turn: Turn, frame: ModelFrame): void {
  const agent = turn.agent(frame.agent);
  const offline = isOffline(agent.binding.provider);
  const calling: ModelFrame = { ...frame, attempt: frame.attempt + 1 };
  const caller = callerOf(turn, frame);
  const prompt = [
    caller.system ?? agent.system_prompt ?? '',
    frame.phase === 'plan' ? PLAN_REQUEST : '',
  ];
  const joined = prompt.filter((part) => part !== '').join('\n\n');
  const offers = frame.phase === 'plan' ? [] : agent.tools;
  turn.put(calling);
  turn.request(calling, {
    kind: 'call_model',
    agent_name: agent.name,
    step_id: frame.step_id,
    binding: agent.binding,
    system_prompt: joined === '' ? null : joined,
    messages: sentBy(caller),
    tools: offers.flatMap((name) => turn.spec.tools[name]?.offer ?? []),
    phase: frame.phase,
    iteration: frame.iteration,
    attempt: calling.attempt,
    temperature: agent.temperature,
    max_tokens: agent.model?.max_tokens ?? null,
    timeout_seconds: offline
      ? null
      : (agent.timeout_seconds ?? turn.spec.provider_retry.timeout_seconds),
    extra: agent.model?.extra ?? {},
  });
}

/** The client answered. */
export function modelAnswered(turn: Turn, frame: ModelFrame, result: EffectResult): void {
  if (result.kind === 'model') turn.succeed(frame, { kind: 'model', answer: result.answer });
  else turn.fail(frame, failure('RuntimeError', 'A model call was answered by a plain value.'));
}

/** The client failed: waits and repeats while the provider's retries last. */
export function modelFailed(turn: Turn, frame: ModelFrame, error: EffectError): void {
  const { retries, backoff_seconds, retry_on_timeout } = turn.spec.provider_retry;
  const timedOut = error.timed_out === true;
  const repeatable = timedOut ? retry_on_timeout : error.retryable !== false;
  const offline = isOffline(turn.agent(frame.agent).binding.provider);
  if (offline || !repeatable || frame.attempt > retries) {
    const type = timedOut ? 'RetryTimeoutError' : thrownType(error.type);
    turn.fail(frame, failure(type, error.message, { timed_out: timedOut }));
    return;
  }
  const seconds = Math.max(backoff_seconds * frame.attempt, error.retry_after_seconds ?? 0);
  if (seconds <= 0) enterModel(turn, frame);
  else {
    turn.request(frame, {
      kind: 'start_timer',
      reason: 'provider_backoff',
      due_at: turn.clock + seconds * 1000,
    });
  }
}
