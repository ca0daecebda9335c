import { refuse } from '../../contract/studio/errors.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { optionalText } from '../../platform-client/protocol.ts';

const MINIMUM = [1, 2, 0] as const;
const VERSION = /^v?(\d+)\.(\d+)(?:\.(\d+))?/;

function isOlder(version: readonly number[]): boolean {
  for (const [index, least] of MINIMUM.entries()) {
    const part = version[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

function versionOf(answer: JsonObject): string | undefined {
  const direct = optionalText(answer, 'version');
  if (direct !== undefined) return direct;
  const service = answer['service'];
  return isObject(service) ? optionalText(service, 'version') : undefined;
}

/** Refuses a platform that names no version, or one before 1.2.0 (studio.md 12, 23). */
export async function requirePlatformVersion(
  client: PlatformClient,
  details: { alias: string; test_run_id: string },
  signal?: AbortSignal,
): Promise<void> {
  const found = versionOf(await client.healthz({ signal }));
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
