import { refuseHugeAnswer } from '../../runtime/answer-size.ts';
import type { CodeTree } from '../../runtime/code-trees.ts';
import { findProjectFunction } from '../../runtime/project-functions.ts';
import { type CallHandler, EffectFailure } from '../../runtime/run-effects.ts';
import type { PlatformDeps } from '../deps.ts';

/** Calls registered code by name, then the code of the run's own project when it may run (decisions 8). */
export function createCallHandler(
  deps: Pick<PlatformDeps, 'handlers' | 'projectCode'>,
  project: string | null,
  code: () => CodeTree,
): CallHandler {
  return async (implementation, args, signal) => {
    const handler = deps.handlers.find(implementation);
    if (handler !== undefined) {
      const answer = await handler(args, { signal });
      refuseHugeAnswer(implementation, answer);
      return answer;
    }
    const tree = code();
    const found = tree.trusted ? await findProjectFunction(tree.root, implementation) : undefined;
    if (found !== undefined) return deps.projectCode.of(tree, project).call(found, args, signal);
    throw new EffectFailure(`No code may be called under '${implementation}'.`, {
      type: 'ValueError',
      retryable: false,
    });
  };
}
