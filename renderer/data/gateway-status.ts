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

function platformAnswers(status: GatewayStatus | undefined): boolean | undefined {
  return status?.services.platform.reachable;
}

/** Keeps what the gateway told; what a service that came back could not answer is asked again. */
function take(status: GatewayStatus): void {
  const key = routeKey(getGatewayStatus);
  const before = platformAnswers(queryClient.getQueryData<GatewayStatus>(key));
  queryClient.setQueryData(key, status);
  const now = platformAnswers(status);
  if (before === false && now === true) {
    void queryClient.invalidateQueries();
  } else if (before !== now) {
    void queryClient.invalidateQueries({ queryKey: routePrefix(getReadyz) });
  }
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

async function listen(signal: AbortSignal): Promise<void> {
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
  const follow = (): void => {
    if (document.hidden) {
      listening?.abort();
      listening = undefined;
    } else if (listening === undefined) {
      listening = new AbortController();
      void listen(listening.signal);
    }
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    listening?.abort();
  };
}
