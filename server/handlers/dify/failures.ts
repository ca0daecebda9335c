import { isObject } from '../../kernel/json.ts';
import { type StepAnswer, StepFailure } from '../handler.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';
import { defaultValues } from './text-steps.ts';

const ROUND_GOES_ON: ReadonlySet<unknown> = new Set([
  'continue-on-error',
  'remove-abnormal-output',
]);
const MOST_RETRIES = 10;

interface Retries {
  readonly count: number;
  readonly waitMs: number;
}

function retriesOf({ data }: DifyCall): Retries {
  const config = data['retry_config'];
  if (!isObject(config) || config['retry_enabled'] !== true) return { count: 0, waitMs: 0 };
  const count = Math.min(MOST_RETRIES, Math.max(0, Number(config['max_retries'] ?? 3) || 0));
  return { count, waitMs: Math.max(0, Number(config['retry_interval'] ?? 1000) || 0) };
}

/** True for a step that asks for another try, or goes on, when it fails. */
export function handlesFailures(call: DifyCall): boolean {
  const strategy = call.data['error_strategy'];
  return strategy === 'fail-branch' || strategy === 'default-value' || retriesOf(call).count > 0;
}

async function tried(handle: DifyHandler, call: DifyCall): Promise<StepAnswer> {
  const { count, waitMs } = retriesOf(call);
  for (let left = count; left > 0; left -= 1) {
    try {
      return await handle(call);
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
    }
    await call.pause(waitMs);
  }
  return handle(call);
}

/** The step with rounds whose round ends by a failure, while it goes on. */
function endsRoundOnly({ dify }: DifyCall): boolean {
  const own = Object.values(dify.flow.steps).find((step) => (step.id ?? step.name) === dify.id);
  const around = own?.inside === undefined ? undefined : dify.flow.steps[own.inside];
  return ROUND_GOES_ON.has(around?.parameters['error_handle_mode']);
}

/**
 * A handler that is tried again as its settings say; what fails all the same takes the output for
 * failures, gives the values that stand for its own, or ends its round only.
 *
 * @param outputs How many it has beside the one for failures.
 */
export function withFailures(handle: DifyHandler, outputs = 1): DifyHandler {
  return async (call) => {
    try {
      return await tried(handle, call);
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      const told = { error_message: error.message, error_type: 'StepFailure' };
      const strategy = call.data['error_strategy'];
      if (strategy === 'fail-branch') return gives(told, outputs);
      if (strategy === 'default-value') return gives({ ...defaultValues(call.data), ...told });
      if (!endsRoundOnly(call)) throw error;
      return { outputs: [[]], context: { failed: error.message } };
    }
  };
}
