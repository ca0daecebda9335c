import type { IncomingHttpHeaders } from 'node:http';
import type { Way } from './remote-way.ts';

/** What a remote said to a question of the gateway's own. */
export interface RemoteAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly patienceMs: number;
}

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Asks a remote over the way of its connection and reads the answer within bounds. No redirect is
 * followed.
 * @throws what the connection failed with
 */
export async function askRemote(way: Way, url: URL, question: Question): Promise<RemoteAnswer> {
  await way.prepare(url);
  const { promise, resolve, reject } = Promise.withResolvers<RemoteAnswer>();
  const { method = 'GET', headers = {}, body, patienceMs } = question;
  const request = way.request(url, { method, path: `${url.pathname}${url.search}`, headers });
  const timer = setTimeout(
    () => request.destroy(new Error('the remote did not answer in time')),
    patienceMs,
  );
  request.once('close', () => clearTimeout(timer));
  request.once('error', reject);
  request.once('response', (answer) => {
    const parts: Buffer[] = [];
    let size = 0;
    answer.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MOST_BYTES) request.destroy(new Error('the answer of the remote is too long'));
      else parts.push(part);
    });
    answer.once('error', reject);
    answer.once('end', () =>
      resolve({
        status: answer.statusCode ?? 502,
        headers: answer.headers,
        body: Buffer.concat(parts),
      }),
    );
  });
  request.end(body);
  return promise;
}
