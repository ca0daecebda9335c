import type { PlatformHealth } from '../../contract/dashboard/probes.ts';
import { getHealthz, getLivez, getReadyz, type Health } from '../../contract/platform/probes.ts';
import type { Told } from '../../contract/told.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import { ageText } from '../age.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { firstText, objectOf, type Source } from '../read.ts';

const DEFAULT_SERVICE = 'run-platform';

interface Probe {
  readonly ok: boolean;
  readonly body: Source;
}

/** One attempt; a failed probe still tells what its answer says about the parts. */
async function probe(answer: Promise<Told<Health>>): Promise<Probe> {
  try {
    const body = await answer;
    return { ok: body.ok !== false, body };
  } catch (error) {
    if (error instanceof PlatformError) return { ok: false, body: error.details };
    throw error;
  }
}

function isPart(value: unknown): value is JsonObject {
  return isJsonObject(value) && ('ok' in value || 'status' in value);
}

function partsOf(metadata: Source): [string, JsonObject][] {
  const { checks } = metadata;
  if (Array.isArray(checks)) {
    return checks
      .filter(isJsonObject)
      .map((part) => [firstText(part['name'], part['key']) ?? '', part]);
  }
  const source = isJsonObject(checks) ? checks : metadata;
  return Object.entries(source).flatMap(([key, value]): [string, JsonObject][] =>
    isPart(value) ? [[key, value]] : [],
  );
}

function toSubsystem(key: string, part: Source, nowMs: number) {
  return {
    name: firstText(part['name']) ?? key,
    ok: part['ok'] !== false,
    degraded: part['degraded'] === true,
    detail: firstText(part['detail'], part['status']) ?? '',
    checked_age: ageText(part['checked_at'] ?? part['last_checked'], nowMs),
  };
}

/** The platform's three probes in one answer; a platform that is down is an answer too. */
export async function getHealth(
  deps: DashboardDeps,
  operator: Operator,
  signal: AbortSignal,
): Promise<PlatformHealth> {
  const platform = operator.platform();
  const once = { signal, attempts: 1 };
  const livez = await probe(platform.call(getLivez, {}, once));
  const readyz = await probe(platform.call(getReadyz, {}, once));
  const healthz = await probe(platform.call(getHealthz, {}, once));
  const bodies = [livez.body, readyz.body, healthz.body];
  const metadata: Source = Object.assign({}, ...bodies.map((body) => objectOf(body['metadata'])));
  const nowMs = deps.clock.now();
  return {
    address: operator.platformAddress(),
    service: firstText(...bodies.map((body) => body['service'])) ?? DEFAULT_SERVICE,
    version: firstText(...bodies.map((body) => body['version'])) ?? '',
    probes: { livez: livez.ok, readyz: readyz.ok, healthz: healthz.ok },
    subsystems: partsOf(metadata).map(([key, part]) => toSubsystem(key, part, nowMs)),
  };
}
