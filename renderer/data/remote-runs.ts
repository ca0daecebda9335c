import { t } from '../../preload/texts/t.ts';
import { runSpec } from '../../server/contract/platform/client-routes.ts';
import type { Rehearsal } from '../../server/contract/platform/rehearsals.ts';
import { call } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { useChosenConnection } from './connections.ts';
import { specInText } from './spec-text.ts';

/** Where runs of this window's drafts go when it is not this computer. */
export interface RunsElsewhere {
  /** The connection, for people. */
  readonly name: string;
  /** Null where the connection has no run platform. */
  readonly address: string | null;
}

/**
 * The platform that drafts of this computer run on in a window of another connection; undefined
 * where the studio that keeps them runs them.
 */
export function useRunsElsewhere(): RunsElsewhere | undefined {
  const connection = useChosenConnection();
  return connection === undefined || connection.drafts === 'there'
    ? undefined
    : { name: connection.name, address: connection.platform };
}

function refused(code: string, message: string): ApiError {
  return new ApiError({
    ...{ status: 0, code, message },
    ...{ requestId: null, details: {}, retryAfter: null },
  });
}

/** Runs a text on the platform of the window's connection: it and the input go there, nothing else. */
export async function runElsewhere(
  text: string,
  input: string,
  rehearsal: Rehearsal | undefined,
): Promise<string> {
  const read = specInText(text);
  if (!('spec' in read)) {
    throw refused('client_error', read.problem ?? t('This draft is empty.'));
  }
  const metadata = rehearsal === undefined ? {} : { rehearsal };
  const { run_id: runId } = await call(
    runSpec,
    { body: { input, spec: read.spec, async_mode: true, metadata } },
    { idempotencyKey: crypto.randomUUID() },
  );
  if (runId === null) {
    throw refused('response_invalid', t('The platform started no run that can be followed.'));
  }
  return runId;
}
