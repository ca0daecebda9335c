import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '../../contract/route.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import { type CallInput, urlOf } from '../../platform-client/route-url.ts';
import { send, type TransportRequest } from '../../platform-client/transport.ts';
import type { CliSettings } from './cli-settings.ts';

/** A platform, as commands speak to it. */
export interface PlatformSession {
  /** For people: where it is. */
  readonly place: string;
  /** The answer as it came, for `--json`; rejects with PlatformError. */
  ask<R extends Route>(route: R, input?: CallInput<R>): Promise<JsonObject>;
  close(): Promise<void>;
}

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);
const CAP_MS = 30_000;

function isRetried({ family, status, code }: PlatformError): boolean {
  if (family === 'unreachable') return true;
  if (status === undefined) return false;
  return RETRIED.has(status) || status >= 500 || code === 'idempotency_key_in_progress';
}

/** Milliseconds until the next attempt; undefined = give up. */
function delayOf(error: PlatformError, attempt: number, settings: CliSettings): number | undefined {
  if (attempt >= settings.retries || !isRetried(error)) return undefined;
  const wait =
    error.retryAfter === undefined ? settings.backoffMs * 2 ** attempt : error.retryAfter * 1000;
  return wait > CAP_MS ? undefined : wait;
}

async function attemptAll(request: TransportRequest, settings: CliSettings): Promise<JsonObject> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(request);
    } catch (error) {
      const wait = error instanceof PlatformError ? delayOf(error, attempt, settings) : undefined;
      if (wait === undefined) throw error;
      await sleep(wait);
    }
  }
}

/**
 * Opens a session over HTTP: unversioned paths, a Bearer key, and for each POST an Idempotency-Key
 * of its own.
 */
export function openSession(
  target: { readonly url: string; readonly apiKey: string | undefined; readonly place: string },
  settings: CliSettings,
  close: () => Promise<void> = async () => undefined,
): PlatformSession {
  const ask = (route: Route, { params, query, body }: CallInput<Route> = {}) => {
    const { method } = route;
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': 'specwright-cli',
      'x-request-id': randomUUID(),
    };
    if (target.apiKey !== undefined) headers['authorization'] = `Bearer ${target.apiKey}`;
    if (method === 'POST') headers['idempotency-key'] = settings.idempotencyKey();
    if (body !== undefined) headers['content-type'] = 'application/json';
    const text = body === undefined ? undefined : JSON.stringify(body);
    const url = `${target.url}${urlOf(route, params, query)}`;
    const { timeoutMs } = settings;
    return attemptAll({ method, url, headers, body: text, timeoutMs, signal: undefined }, settings);
  };
  return { place: target.place, ask, close };
}
