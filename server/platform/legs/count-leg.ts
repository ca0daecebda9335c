import type { RunState } from '../../engine/state.ts';
import type { PlatformDeps } from '../deps.ts';

type CountDeps = Pick<PlatformDeps, 'metrics'>;

/** Counts the tokens that a run used between two of its states. */
export function countTokens({ metrics }: CountDeps, before: RunState, after: RunState): void {
  const used = (state: RunState) =>
    state.usage ?? { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  metrics.add('tokens_input', Math.max(0, used(after).input_tokens - used(before).input_tokens));
  metrics.add('tokens_output', Math.max(0, used(after).output_tokens - used(before).output_tokens));
  metrics.add('tokens', Math.max(0, used(after).total_tokens - used(before).total_tokens));
}

/** Counts how a leg ended, and its tokens. */
export function countOutcome(deps: CountDeps, before: RunState, after: RunState): void {
  const { metrics } = deps;
  if (after.status === 'completed') metrics.add('runs_completed');
  if (after.status === 'failed' || after.status === 'timed_out') metrics.add('runs_failed');
  countTokens(deps, before, after);
}
