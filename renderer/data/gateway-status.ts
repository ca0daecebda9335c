import {
  type GatewayStatus,
  getGatewayStatus,
  watchGatewayStatus,
} from '../../server/contract/gateway/status.ts';
import { getReadyz } from '../../server/contract/platform/probes.ts';
import { openStream } from './event-stream.ts';
import { queryClient, routeKey, routePrefix } from './query-client.ts';

/** Nothing tells that a gateway which ended is there again: it is asked after these pauses. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Keeps what the gateway tells; what a service that came back could not answer is asked again. It is
 * held against what was told before, not against what is kept: a failed read may have asked first.
 */
function taker(): (status: GatewayStatus) => void {
  let before: boolean | undefined;
  return (status) => {
    queryClient.setQueryData(routeKey(getGatewayStatus), status);
    const now = status.services.platform.reachable;
    if (before === false && now) {
      void queryClient.invalidateQueries();
    } else if (before !== now) {
      void queryClient.invalidateQueries({ queryKey: routePrefix(getReadyz) });
    }
    before = now;
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function listen(signal: AbortSignal, take: (status: GatewayStatus) => void): Promise<void> {
  let wait = FIRST_PAUSE_MS;
  const onOpen = (): void => {
    wait = FIRST_PAUSE_MS;
  };
  while (!signal.aborted) {
    try {
      for await (const { data } of openStream(watchGatewayStatus, {}, { signal, onOpen })) {
        take(data);
      }
    } catch {
      // Why it broke is what the status says when it is asked, which is next.
    }
    if (!signal.aborted) {
      for (const route of [getGatewayStatus, getReadyz]) {
        void queryClient.invalidateQueries({ queryKey: routePrefix(route) });
      }
      await pause(wait, signal);
      wait = Math.min(LONGEST_PAUSE_MS, wait * 2);
    }
  }
}

/**
 * Hears from the gateway at once when a service ends or comes back, until the answer is called. A
 * page that nobody sees gives its connection back: a browser has few for one address.
 */
export function followGatewayStatus(): () => void {
  let listening: AbortController | undefined;
  const take = taker();
  const follow = (): void => {
    if (document.hidden) {
      listening?.abort();
      listening = undefined;
    } else if (listening === undefined) {
      listening = new AbortController();
      void listen(listening.signal, take);
    }
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    listening?.abort();
  };
}
