import http from 'node:http';
import https from 'node:https';
import { systemCode } from '../../kernel/system-code.ts';
import { PrivateAddress, publicLookup, refusePrivateHost } from './public-address.ts';

export interface EventRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendSetting {
  readonly timeoutSeconds: number;
  /** Addresses of this machine and its network may be asked too. */
  readonly allowPrivate: boolean;
}

/** How an attempt ended. `gone`: the receiver says that it wants no more. */
export type Sent =
  | { readonly ok: true }
  | { readonly ok: false; readonly gone: boolean; readonly error: string };

function failed(error: string, gone = false): Sent {
  return { ok: false, gone, error };
}

function byStatus(status: number): Sent {
  if (status >= 200 && status < 300) return { ok: true };
  if (status === 410) return failed('the receiver answered 410: it wants no more events', true);
  if (status >= 300 && status < 400) {
    return failed(`the receiver answered ${status}; redirects are not followed`);
  }
  return failed(`the receiver answered ${status}`);
}

function byError(error: unknown, { timeoutSeconds }: SendSetting): Sent {
  if (error instanceof PrivateAddress) return failed(error.message);
  if (error instanceof Error && error.name === 'TimeoutError') {
    return failed(`the receiver did not answer within ${timeoutSeconds} s`);
  }
  return failed(`the receiver could not be reached (${systemCode(error) ?? 'connection failed'})`);
}

/** One attempt. Never rejects; the answer's body is not read and redirects are not followed. */
export async function sendEvent(
  { url, headers, body }: EventRequest,
  setting: SendSetting,
  stop: AbortSignal,
): Promise<Sent> {
  const target = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  try {
    if (!setting.allowPrivate) refusePrivateHost(target);
    const request = (target.protocol === 'https:' ? https : http).request(target, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'specwright-events',
      },
      agent: false,
      signal: AbortSignal.any([stop, AbortSignal.timeout(setting.timeoutSeconds * 1000)]),
      ...(setting.allowPrivate ? {} : { lookup: publicLookup }),
    });
    request.once('error', (error) => reject(error.name === 'AbortError' ? error.cause : error));
    request.once('response', (response) => {
      resolve(byStatus(response.statusCode ?? 0));
      response.destroy();
    });
    request.end(body);
    return await promise;
  } catch (error) {
    return byError(error, setting);
  }
}
