import { getReadyz } from '../../contract/platform/probes.ts';
import { isObject } from '../../kernel/json.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { readReadiness } from '../platform-answers.ts';

/** The names in a readiness answer's `tool_registry`; null when there is no such list. */
function namesIn(metadata: unknown): ReadonlySet<string> | null {
  const checks = isObject(metadata) ? metadata['checks'] : undefined;
  const registry = isObject(checks) ? checks['tool_registry'] : undefined;
  const names = isObject(registry) ? registry['names'] : undefined;
  if (!Array.isArray(names)) return null;
  return new Set(names.filter((name) => typeof name === 'string'));
}

/**
 * What the registry of the bound platform offers; a platform that is not ready says it too. Null when
 * it says nothing of it.
 */
export async function offeredNames(
  deps: StudioDeps,
  binding: ProjectEnvironmentRow,
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
