import { getHealthz } from '../../contract/platform/probes.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { isObject } from '../../kernel/json.ts';
import { protocolError } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { readHealth } from '../platform-answers.ts';

const MINIMUM = [1, 2, 0] as const;
const VERSION = /^v?(\d+)\.(\d+)(?:\.(\d+))?/;

function isOlder(version: readonly number[]): boolean {
  for (const [index, least] of MINIMUM.entries()) {
    const part = version[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

/** The version at the top, else that of an object `service`. */
function versionOf(answer: ReturnType<typeof readHealth>): string | undefined {
  if (typeof answer.version === 'string') return answer.version;
  const service = answer['service'];
  const version = isObject(service) ? service['version'] : undefined;
  if (version === undefined || version === null || typeof version === 'string') {
    return version ?? undefined;
  }
  throw protocolError('version is not of type text');
}

/** Refuses a platform that names no version, or one before 1.2.0 (studio.md 12, 23). */
export async function requirePlatformVersion(
  client: PlatformClient,
  details: { alias: string; test_run_id: string },
  signal?: AbortSignal,
): Promise<void> {
  const found = versionOf(await client.read(getHealthz, readHealth, {}, { signal }));
  const match = VERSION.exec(found ?? '');
  const minimum = MINIMUM.join('.');
  if (found === undefined || match === null) {
    throw refuse('platform_version_unknown', { details: { ...details, minimum } });
  }
  const numbers = match.slice(1).map((part) => Number(part ?? '0'));
  if (isOlder(numbers)) {
    throw refuse('platform_version_unsupported', { details: { ...details, found, minimum } });
  }
}
