import http from 'node:http';
import https from 'node:https';
import type { GatewayStatus } from '../contract/gateway/status.ts';

/** Nothing tells that a service came back: one that does not answer is asked again after this long. */
const ASK_AGAIN_MS = 1_000;

/** Who is told of every change of the status. */
export interface StatusFollower {
  tell(status: GatewayStatus): void;
  /** The gateway stops. */
  over(): void;
}

export interface StatusWatch {
  /** Tells the status now and whenever it is another one, until the answer is called. */
  follow(follower: StatusFollower): () => void;
  /**
   * Somebody asked and was answered this. Where it is something else than those who follow were told
   * last, they are told anew: a short absence may lie between two looks, and be known from an answer.
   */
  answered(status: GatewayStatus): void;
  close(): void;
}

export interface StatusWatchDeps {
  status(): Promise<GatewayStatus>;
  /** Probes of the services that can end while the gateway goes on. */
  readonly probes: readonly string[];
  /** A server of another computer cannot be held: it is asked again after so long. */
  readonly everyMs?: number;
}

/** Asks once and holds the connection: its end is how a service tells that it ended. */
function hold(url: string, told: { answered(): void; ended(): void }): () => void {
  const client = url.startsWith('https:') ? https : http;
  const agent = new client.Agent({ keepAlive: true });
  const request = client.get(url, { agent });
  request.once('socket', (socket) => socket.once('close', told.ended));
  request.once('response', (answer) => answer.once('end', told.answered).resume());
  // The end of the connection follows and says it.
  request.once('error', () => undefined);
  return () => {
    request.destroy();
    agent.destroy();
  };
}

/** Holds a connection to a service for as long as someone wants to know; answers the way to stop. */
function keepHolding(url: string, look: () => void): () => void {
  let release: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const begin = (): void => {
    const asked = performance.now();
    release = hold(url, {
      answered: look,
      ended: () => {
        if (stopped) return;
        release?.();
        look();
        timer = setTimeout(begin, Math.max(0, ASK_AGAIN_MS - (performance.now() - asked)));
      },
    });
  };
  begin();
  return () => {
    stopped = true;
    clearTimeout(timer);
    release?.();
  };
}

/**
 * Follows whether the services of the connection answer while a window wants to know it. The end of
 * a held connection tells that a service ended; no clock asks one that answers.
 */
export function watchStatus(deps: StatusWatchDeps): StatusWatch {
  const followers = new Set<StatusFollower>();
  let releases: readonly (() => void)[] = [];
  let last: { readonly text: string; readonly status: GatewayStatus } | undefined;
  let looking = false;
  let again = false;

  const read = async (): Promise<void> => {
    const status = await deps.status();
    const text = JSON.stringify(status);
    if (text === last?.text) return;
    last = { text, status };
    for (const follower of followers) follower.tell(status);
  };
  /** One after the other: what changed meanwhile is looked at once more. */
  const look = async (): Promise<void> => {
    again = looking;
    if (looking) return;
    looking = true;
    try {
      do {
        again = false;
        await read();
      } while (again);
    } finally {
      looking = false;
    }
  };
  const release = (): void => {
    for (const stop of releases) stop();
    releases = [];
    last = undefined;
  };

  return {
    follow(follower) {
      followers.add(follower);
      if (last !== undefined) follower.tell(last.status);
      void look();
      if (followers.size === 1) {
        releases = deps.probes.map((url) => keepHolding(url, () => void look()));
        if (deps.everyMs !== undefined) {
          const timer = setInterval(() => void look(), deps.everyMs);
          releases = [...releases, () => clearInterval(timer)];
        }
      }
      return () => {
        if (followers.delete(follower) && followers.size === 0) release();
      };
    },
    answered(status) {
      if (last === undefined || JSON.stringify(status) === last.text) return;
      last = undefined;
      void look();
    },
    close() {
      release();
      for (const follower of [...followers]) follower.over();
      followers.clear();
    },
  };
}
