import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { safeReturn } from '../identity/safe-return.ts';
import type { ForwardedPath, ServiceName, Target } from './connection.ts';

/** A step of a sign-in at an identity provider, which a browser makes as a whole page. */
type Step = 'leaves' | 'returns';

const STEPS: Readonly<Partial<Record<ServiceName, Readonly<Record<string, Step>>>>> = {
  studio: { '/api/session/oidc/start': 'leaves', '/api/session/oidc/callback': 'returns' },
  dashboard: { '/api/login': 'leaves', '/api/callback': 'returns' },
};
const MOST_BYTES = 64 * 1024;
const CODE = /^[a-z_]{1,64}$/;

/** The step that a request is; undefined for every other request. */
export function stepOf(
  method: string | undefined,
  { service, rest }: ForwardedPath,
  target: Target,
): Step | undefined {
  if (method !== 'GET' || target.signIn === undefined) return undefined;
  return STEPS[service]?.[rest.split('?')[0] ?? ''];
}

/** The sign-in page with what went wrong. A provider that refused says so in the request itself. */
function failedAt({ service, rest }: ForwardedPath, code: string, retryAfter?: string): string {
  const came = new URL(rest, 'http://specwright.invalid').searchParams;
  const told = came.has('error') ? 'provider_refused' : code;
  const query = new URLSearchParams({ service, error: CODE.test(told) ? told : 'failed' });
  if (retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter)) query.set('wait', retryAfter);
  return `/sign-in?${query}`;
}

/** Where the provider is; what is no web address is none. */
function providerAddress(location: string): string | undefined {
  return URL.canParse(location) && /^https?:$/.test(new URL(location).protocol)
    ? location
    : undefined;
}

/**
 * Where a redirect of a step leads: to the provider, to a place of the window, or to the sign-in
 * page with what went wrong. Nothing that came with the request leads out of here.
 */
export function journeyLocation(
  step: Step,
  path: ForwardedPath,
  location: string,
): string | undefined {
  if (step === 'leaves') return providerAddress(location);
  const own = safeReturn(location);
  const error = new URL(own, 'http://specwright.invalid').searchParams.get('error');
  return own.startsWith('/?') && error !== null ? failedAt(path, error) : own;
}

const Refused = z.looseObject({ code: z.string() });

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > MOST_BYTES) return '';
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString();
}

/** The sign-in page with why a step was refused: a browser shows people no envelope. */
export async function refusedAt(path: ForwardedPath, answer: IncomingMessage): Promise<string> {
  let body: unknown;
  try {
    body = JSON.parse(await textOf(answer));
  } catch {
    // Not an envelope of ours: the status is all there is to say.
    body = undefined;
  }
  const read = Refused.safeParse(body);
  return failedAt(path, read.success ? read.data.code : 'failed', answer.headers['retry-after']);
}
