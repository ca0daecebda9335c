import { refuseHugeAnswer } from '../../runtime/answer-size.ts';
import { findProjectFunction } from '../../runtime/project-functions.ts';
import { type CallHandler, EffectFailure } from '../../runtime/run-effects.ts';
import type { PlatformDeps } from '../deps.ts';

/** Calls registered code by name, then the code of the run's own project when it is trusted (decisions 8). */
export function createCallHandler(
  deps: Pick<PlatformDeps, 'handlers' | 'trees' | 'projectCode'>,
  project: string | null,
): CallHandler {
  return async (implementation, args, signal) => {
    const handler = deps.handlers.find(implementation);
    if (handler !== undefined) {
      const answer = await handler(args, { signal });
      refuseHugeAnswer(implementation, answer);
      return answer;
    }
    const { root, trusted } = deps.trees.find(project);
    const found = trusted ? await findProjectFunction(root, implementation) : undefined;
    if (found !== undefined) return deps.projectCode.of(root).call(found, args, signal);
    throw new EffectFailure(`No code may be called under '${implementation}'.`, {
      type: 'ValueError',
      retryable: false,
    });
  };
}
