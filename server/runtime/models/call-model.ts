import type { CallModel } from '../../engine/effect.ts';
import type { EffectResult } from '../../engine/event.ts';
import { EffectFailure } from '../run-effects.ts';

/** Settings of calls to model providers. */
export interface ModelCallSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Answers model calls of real providers. */
export function createCallModel(
  _settings: ModelCallSettings,
): (effect: CallModel, signal: AbortSignal) => Promise<EffectResult> {
  return (effect) =>
    Promise.reject(
      new EffectFailure(
        `not_implemented: model provider '${effect.binding.provider}' cannot be called yet`,
        { type: 'ValueError', retryable: false },
      ),
    );
}
