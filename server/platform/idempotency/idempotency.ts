import type { Route } from '../../contract/route.ts';
import { type Answer, answerText } from '../../http/answer.ts';
import type { RequestContext } from '../../http/http-profile.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { isObject } from '../../kernel/json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import type { IdempotencyRecordsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { PendingRecord } from '../pending-record.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { giveBack } from '../take-lock.ts';
import { RecordTaken } from './record-taken.ts';

interface Operation {
  readonly scope: string;
  readonly path: string;
  readonly hash: string;
}

/** The routed path without `/v1`, its parameters decoded. */
function routedPath(route: Route, params: Readonly<Record<string, unknown>>): string {
  return route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => String(params[name] ?? ''));
}

function operationOf(route: Route, scope: string, input: unknown): Operation {
  const parts = isObject(input) ? input : {};
  const params = isObject(parts['params']) ? parts['params'] : {};
  const body = parts['body'];
  const payload: unknown =
    scope === 'human:resume'
      ? { continuation_id: params['continuation_id'], request: body }
      : scope === 'runs:continue'
        ? { run_id: params['run_id'] }
        : body;
  return { scope, path: routedPath(route, params), hash: sha256Hex(canonicalJson(payload)) };
}

/** The stored answer of an equal request. @throws Refusal idempotency_key_conflict for another one. */
function replay(
  record: IdempotencyRecordsTable | undefined,
  { hash, scope }: Operation,
): Answer<unknown> | undefined {
  if (record === undefined) return undefined;
  if (record.request_hash !== hash) {
    throw refuse('idempotency_key_conflict', { details: { scope } });
  }
  return answerText(record.body, { status: record.status_code });
}

function inProgress(scope: string) {
  return refuse('idempotency_key_in_progress', { details: { scope } });
}

type Around = (
  route: Route,
  input: unknown,
  context: RequestContext<Principal>,
  next: (context: RequestContext<Principal>) => Promise<Answer<unknown>>,
) => Promise<Answer<unknown>>;

/**
 * Idempotency of the routes that declare a scope word (contract/platform.md 5): one lock per caller,
 * method, path and key; an equal request replays the stored answer, another one is refused; only
 * successful answers are stored, by the operation itself in the transaction of its effect.
 */
export function createIdempotency(deps: PlatformDeps): Around {
  const records = deps.idempotencyRecords;
  return async (route, input, context, next) => {
    const scope = route.meta['idempotency'];
    const key = context.principal.idempotencyKey;
    if (typeof scope !== 'string' || key === null) return next(context);
    const operation = operationOf(route, scope, input);
    const principal = context.principal.name;
    const lock = `idempotency:${sha256Hex([principal, route.method, operation.path, key].join('\n'))}`;
    const release = deps.locks.tryTakeHere(lock);
    if (release === undefined) {
      throw inProgress(scope);
    }
    try {
      const identity = { principal, method: route.method, path: operation.path, key };
      const stored = replay(records.find(identity), operation);
      if (stored !== undefined) return stored;
      const pendingRecord: PendingRecord = { identity, scope, request_hash: operation.hash, lock };
      const noted = { ...context, principal: { ...context.principal, pendingRecord } };
      return await next(noted).catch((error: unknown) => {
        if (!(error instanceof RecordTaken)) throw error;
        const answer = replay(records.find(identity), operation);
        if (answer === undefined) throw inProgress(scope);
        return answer;
      });
    } finally {
      await giveBack(deps, lock, release);
    }
  };
}
