import type { PlatformClient } from '../../platform-client/client.ts';
import { PageShelf } from './page-shelf.ts';
import { type LogPace, TraceLog } from './trace-log.ts';
import { createTraceSource, createWaitOffers } from './trace-source.ts';

/** What a stream follows. */
export interface TraceTopic {
  readonly platform: PlatformClient;
  readonly runId: string;
  readonly eventType: string | undefined;
}

/** The traces that are followed now, each once. */
export interface TraceLogs {
  /**
   * The log of a run; one that nobody follows yet begins after so many events. `leave` is called
   * once by whoever followed it; `drop` keeps others from a log that failed.
   */
  follow(topic: TraceTopic, from: number): { log: TraceLog; leave(): void; drop(): void };
}

interface Followed {
  readonly log: TraceLog;
  followers: number;
}

export function createTraceLogs(): TraceLogs {
  const offers = createWaitOffers();
  const all = new Map<PlatformClient, Map<string, Followed>>();
  let count = 0;
  // A platform that does not answer keeps the pages of no other waiting.
  const paces = new WeakMap<PlatformClient, LogPace>();
  const paceOf = (platform: PlatformClient): LogPace => {
    const pace = paces.get(platform) ?? { shelf: new PageShelf(), followed: () => count };
    paces.set(platform, pace);
    return pace;
  };
  return {
    follow(topic, from) {
      const { platform, runId, eventType } = topic;
      const name = JSON.stringify([runId, eventType]);
      const logs = all.get(platform) ?? new Map<string, Followed>();
      all.set(platform, logs);
      const known = logs.get(name);
      const followed = known ?? {
        log: new TraceLog(createTraceSource(platform, topic, offers), paceOf(platform), from),
        followers: 0,
      };
      followed.followers += 1;
      if (followed.followers === 1) count += 1;
      logs.set(name, followed);
      const drop = (): void => {
        if (logs.get(name) === followed) logs.delete(name);
        if (logs.size === 0 && all.get(platform) === logs) all.delete(platform);
      };
      return {
        log: followed.log,
        drop,
        leave() {
          followed.followers -= 1;
          if (followed.followers > 0) return;
          count -= 1;
          followed.log.close();
          drop();
        },
      };
    },
  };
}
