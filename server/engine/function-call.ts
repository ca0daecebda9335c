import type { Json } from '../kernel/json.ts';
import type { EffectError, EffectResult } from './event.ts';
import { failure, thrownType } from './failure.ts';
import { type FlowAnswer, readFlowAnswer } from './flow-run.ts';
import type { FunctionFrame } from './state.ts';
import type { Turn } from './turn.ts';

/** A call of a function component. */
export function enterFunction(turn: Turn, frame: FunctionFrame): void {
  const implementation =
    frame.flow === 'prompt' || frame.flow === 'call'
      ? frame.function
      : turn.spec.functions[frame.function];
  if (implementation === undefined) {
    turn.fail(frame, failure('RuntimeError', `Function '${frame.function}' is not declared.`));
    return;
  }
  const args: Json[] = [frame.text];
  if (frame.top_k !== null) args.push(frame.top_k);
  turn.request(frame, {
    kind: 'call_function',
    purpose: frame.purpose,
    function: frame.function,
    implementation,
    args,
    step_id: frame.step_id,
    ...(frame.flow === undefined ? {} : { flow: frame.flow }),
  });
}

/** What a function gave goes to the frame that called it. */
export function functionAnswered(turn: Turn, frame: FunctionFrame, result: EffectResult): void {
  const value = result.kind === 'value' ? result.value : result.answer.text;
  if (frame.flow === undefined || frame.flow === 'prompt')
    turn.succeed(frame, { kind: 'value', value });
  else giveItems(turn, frame, readFlowAnswer(value));
}

function giveItems(turn: Turn, frame: FunctionFrame, answer: FlowAnswer): void {
  const { wait_until: due_at } = answer;
  if (due_at === undefined || due_at <= turn.clock) {
    turn.succeed(frame, { kind: 'items', answer });
    return;
  }
  turn.put({ ...frame, held: answer });
  turn.request(frame, { kind: 'start_timer', reason: 'flow_wait', due_at });
}

/** The moment has come at which a step of an item flow goes on. */
export function flowWaited(turn: Turn, frame: FunctionFrame): void {
  if (frame.held === undefined) throw new TypeError('a step that waited holds what it gives');
  turn.succeed(frame, { kind: 'items', answer: frame.held });
}

/** A function that threw or ran out of time fails the frame that called it. */
export function functionFailed(turn: Turn, frame: FunctionFrame, error: EffectError): void {
  const timedOut = error.timed_out === true;
  const type = timedOut ? 'RetryTimeoutError' : thrownType(error.type);
  turn.fail(frame, failure(type, error.message, { timed_out: timedOut }));
}
