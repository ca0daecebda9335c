import { t } from '../../preload/texts/t.ts';
import { isObject } from '../../server/kernel/json.ts';
import { UpdateProblem } from './refusal.ts';

/** `fetch` as the shell has it: with the system's proxy and certificates. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** How long an answer, and each piece of it, may take to come. */
const PATIENCE_MS = 30_000;

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The folder of the feeds as an address, ending in a slash; undefined for what is none that can be trusted. */
export function feedFolder(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address.endsWith('/') ? address : `${address}/`);
  const plain = url.protocol === 'http:' && LOOPBACK.has(url.hostname);
  return url.protocol === 'https:' || plain ? url : undefined;
}

function unreachable(cause: unknown): UpdateProblem {
  return new UpdateProblem(
    'unreachable',
    t('The place of the updates does not answer. Try again when this computer is connected.'),
    cause,
  );
}

function isRedirectError(error: unknown): boolean {
  const texts = isObject(error) ? [error['message'], error['cause']] : [];
  return /redirect/i.test(texts.map(String).join(' '));
}

/**
 * Asks for one file. Nobody is followed elsewhere: what answers with a redirect is refused.
 * @throws UpdateProblem `unreachable`, `redirected`; the reason of `signal`
 */
export async function ask(
  fetch: Fetch,
  address: URL,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  try {
    const init: RequestInit = {
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      headers,
      signal: AbortSignal.any([signal, late]),
    };
    return await fetch(address.href, init);
  } catch (error) {
    signal.throwIfAborted();
    if (isRedirectError(error)) {
      throw new UpdateProblem(
        'redirected',
        t('The update was refused: its place leads to another address, which is not followed.'),
        error,
      );
    }
    throw unreachable(error);
  }
}

/**
 * Gives the pieces of an answer; one that stops coming ends it.
 * @throws UpdateProblem `unreachable`; the reason of `signal`
 */
export async function* pieces(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UpdateProblem ? error : unreachable(error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = setTimeout(() => reject(unreachable(undefined)), PATIENCE_MS);
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
  }
}

/**
 * A small file whole; undefined when there is none.
 * @throws UpdateProblem `unreachable`, `redirected`, `feed_broken`
 */
export async function smallFile(
  fetch: Fetch,
  address: URL,
  limit: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const response = await ask(fetch, address, signal);
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw unreachable(undefined);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces(response, signal)) {
    bytes += piece.length;
    if (bytes > limit) {
      throw new UpdateProblem(
        'feed_broken',
        t('The update was refused: its description is larger than one can be.'),
      );
    }
    parts.push(piece);
  }
  return Buffer.concat(parts);
}
