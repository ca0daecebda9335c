import { type CallHandler, EffectFailure } from '../../runtime/run-effects.ts';
import type { PlatformDeps } from '../deps.ts';

/** Calls registered code by name, then the code of a trusted project (decisions 8). */
export function createCallHandler(deps: Pick<PlatformDeps, 'handlers'>): CallHandler {
  return async (implementation, args, signal) => {
    const handler = deps.handlers.find(implementation);
    if (handler !== undefined) return handler(args, { signal });
    throw new EffectFailure(`not_implemented: project functions cannot be called yet`, {
      type: 'ValueError',
      retryable: false,
    });
  };
}
