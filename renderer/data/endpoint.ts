/** Where the gateway answers and how a call identifies itself. */
export interface Endpoint {
  /** Without a trailing slash; empty = the origin that served this page. */
  readonly baseUrl: string;
  /** Per-launch token of the desktop shell; null = the browser's cookie. */
  readonly token: string | null;
}

let current: Endpoint | null = null;
const waiting = new Set<(endpoint: Endpoint) => void>();

/** Sets the gateway that every later call goes to; calls that were waiting go out now. */
export function setEndpoint(endpoint: Endpoint | null): void {
  current = endpoint;
  if (endpoint !== null) {
    for (const resolve of waiting) {
      resolve(endpoint);
    }
    waiting.clear();
  }
}

/** The gateway's address, waiting for the services to be ready; rejects when the signal aborts. */
export function readyEndpoint(signal?: AbortSignal): Promise<Endpoint> {
  if (current !== null) {
    return Promise.resolve(current);
  }
  return new Promise((resolve, reject) => {
    const done = (endpoint: Endpoint): void => {
      signal?.removeEventListener('abort', abort);
      resolve(endpoint);
    };
    const abort = (): void => {
      waiting.delete(done);
      reject(signal?.reason);
    };
    waiting.add(done);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
