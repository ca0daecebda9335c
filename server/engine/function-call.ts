import type { Json } from '../kernel/json.ts';
import type { EffectError, EffectResult } from './event.ts';
import { failure, thrownType } from './failure.ts';
import type { FunctionFrame } from './state.ts';
import type { Turn } from './turn.ts';

/** A call of a function component. */
export function enterFunction(turn: Turn, frame: FunctionFrame): void {
  const implementation = turn.spec.functions[frame.function];
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
  });
}

/** What a function gave goes to the frame that called it. */
export function functionAnswered(turn: Turn, frame: FunctionFrame, result: EffectResult): void {
  const value = result.kind === 'value' ? result.value : result.answer.text;
  turn.succeed(frame, { kind: 'value', value });
}

/** A function that threw or ran out of time fails the frame that called it. */
export function functionFailed(turn: Turn, frame: FunctionFrame, error: EffectError): void {
  const timedOut = error.timed_out === true;
  const type = timedOut ? 'RetryTimeoutError' : thrownType(error.type);
  turn.fail(frame, failure(type, error.message, { timed_out: timedOut }));
}
