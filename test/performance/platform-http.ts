import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** One call on a kept connection; the answer's text, not parsed. */
export function call(method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = request(
    url,
    {
      method,
      agent,
      headers:
        text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    },
    (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const whole = Buffer.concat(parts).toString();
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(whole);
        else reject(new Error(`${status} ${whole.slice(0, 300)}`));
      });
      answer.on('error', reject);
    },
  );
  sent.on('error', reject);
  sent.end(text);
  return promise;
}

export const get = (url: string): Promise<string> => call('GET', url);
export const post = (url: string, body: unknown): Promise<string> => call('POST', url, body);

/** Runs `work` with so many callers until none of them has more to do. */
export async function callers(count: number, work: () => Promise<boolean>): Promise<void> {
  const one = async (): Promise<void> => {
    while (await work());
  };
  await Promise.all(Array.from({ length: count }, one));
}
