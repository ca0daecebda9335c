import { getReadyz } from '../../contract/platform/probes.ts';
import { isObject } from '../../kernel/json.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import {
  blockersAt,
  namedImplementations,
  type PortabilityBlocker,
} from '../../spec/reports/portability.ts';
import type { StudioDeps } from '../deps.ts';
import { readReadiness } from '../platform-answers.ts';
import type { OpenArtifact } from './open-artifact.ts';

/** The names in a readiness answer's `tool_registry`; null when there is no such list. */
function namesIn(metadata: unknown): ReadonlySet<string> | null {
  const checks = isObject(metadata) ? metadata['checks'] : undefined;
  const registry = isObject(checks) ? checks['tool_registry'] : undefined;
  const names = isObject(registry) ? registry['names'] : undefined;
  if (!Array.isArray(names)) return null;
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** What the registry of the bound platform offers; a platform that is not ready says it too. */
async function askRegistry(
  deps: StudioDeps,
  { binding }: OpenArtifact,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const client = await deps.connections.clientFor(deps.db, binding);
  try {
    const options = { signal, attempts: 1 };
    const { metadata } = await client.read(getReadyz, readReadiness, {}, options);
    return namesIn(metadata);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return namesIn(error.details['metadata']);
  }
}

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
  return blockersAt(opened.blockers, named, await askRegistry(deps, opened, signal));
}
