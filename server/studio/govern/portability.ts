import {
  blockersAt,
  namedImplementations,
  type PortabilityBlocker,
} from '../../spec/reports/portability.ts';
import type { StudioDeps } from '../deps.ts';
import { offeredNames } from './offered-names.ts';
import type { OpenArtifact } from './open-artifact.ts';

/**
 * What keeps an artifact from travelling. A name of code is no hindrance where the registry of the
 * bound platform offers it (decisions 48); the platform is asked only when the spec names some.
 */
export async function findBlockers(
  deps: StudioDeps,
  opened: OpenArtifact,
  signal: AbortSignal,
): Promise<PortabilityBlocker[]> {
  const named = namedImplementations(opened.gated.positions);
  if (named.size === 0) return opened.blockers;
  return blockersAt(opened.blockers, named, await offeredNames(deps, opened.binding, signal));
}
