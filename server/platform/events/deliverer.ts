import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import { signedHeaders } from './event-signature.ts';
import type { DueDelivery } from './events-repository.ts';
import { retryDelay } from './retry-delay.ts';
import { type Sent, sendEvent } from './send-event.ts';

/** Receivers that are asked at once. */
const MOST_AT_ONCE = 16;
/** How much longer than an attempt others keep off it. */
const SPARE_SECONDS = 5;

type Deps = Pick<
  PlatformDeps,
  'events' | 'eventKey' | 'config' | 'commits' | 'clock' | 'log' | 'recordAudit'
>;

function secretsOf({ eventKey, clock }: Deps, delivery: DueDelivery): string[] {
  const { webhook_id: id, secret, previous_secret: before, previous_until: until } = delivery;
  const isBefore = before !== null && until !== null && clock.now() / 1000 < until;
  const sealed = isBefore ? [secret, before] : [secret];
  return sealed.flatMap((each) => eventKey.open(id, each) ?? []);
}

async function attempt(deps: Deps, delivery: DueDelivery, signal: AbortSignal): Promise<Sent> {
  const secrets = secretsOf(deps, delivery);
  if (secrets.length === 0) {
    const error = 'its secret cannot be read with the key of this platform; give it a new one';
    return { ok: false, gone: false, error };
  }
  const { url, payload: body, event_id: id } = delivery;
  const timestamp = Math.trunc(deps.clock.now() / 1000);
  const headers = signedHeaders(secrets, { id, timestamp, body });
  return sendEvent({ url, headers, body }, deps.config.events, signal);
}

/** A receiver that wants no more is told nothing more until somebody switches it on again. */
function switchOff({ events, recordAudit }: Deps, id: string, at: string): void {
  const row = events.webhook(id);
  if (row === undefined) return;
  const because = 'the receiver answered 410';
  events.saveWebhook({ ...row, enabled: 0, disabled_because: because, updated_at: at });
  recordAudit({
    event_type: 'webhook.disabled',
    actor: null,
    metadata: { webhook_id: id, because },
  });
}

function settle(deps: Deps, delivery: DueDelivery, sent: Sent): void {
  const at = toTimestamp(deps.clock.now());
  if (sent.ok) {
    deps.events.delivered(delivery, at);
    return;
  }
  const { maxAttempts, retrySeconds } = deps.config.events;
  const attempts = delivery.attempts + 1;
  const isOver = sent.gone || attempts >= maxAttempts;
  const wait = isOver ? null : retryDelay(attempts, retrySeconds, Math.random());
  deps.events.failed(delivery, sent.error, wait, at);
  if (sent.gone) switchOff(deps, delivery.webhook_id, at);
}

/** Sends events of one service. */
export interface Deliverer {
  /** Sends what is due, one event after the other to each receiver; settles before they have answered. */
  look(): void;
  /** Breaks off what is on its way, which stays due. */
  stop(): Promise<void>;
}

/**
 * A receiver that hangs keeps no other waiting. What a dead service was sending is sent again once
 * nobody can be waiting for its answer any more.
 */
export function createDeliverer(deps: Deps): Deliverer {
  const sending = new Map<string, Promise<void>>();
  const stop = new AbortController();
  const send = async (delivery: DueDelivery): Promise<void> => {
    const hold = deps.config.events.timeoutSeconds + SPARE_SECONDS;
    if (!(await deps.commits.add(() => deps.events.take(delivery, hold)))) return;
    const sent = await attempt(deps, delivery, stop.signal);
    await deps.commits.add(() => {
      if (stop.signal.aborted && !sent.ok) deps.events.release(delivery);
      else settle(deps, delivery, sent);
    });
  };
  const sendAll = async (first: DueDelivery): Promise<void> => {
    const id = first.webhook_id;
    let next: DueDelivery | undefined = first;
    try {
      while (next !== undefined && !stop.signal.aborted) {
        await send(next);
        next = deps.events.due().find(({ webhook_id }) => webhook_id === id);
      }
    } catch (error) {
      deps.log.error({ webhook_id: id, err: error }, 'an event could not be delivered');
    } finally {
      sending.delete(id);
    }
  };
  return {
    look() {
      if (stop.signal.aborted) return;
      for (const delivery of deps.events.due()) {
        const id = delivery.webhook_id;
        if (sending.size < MOST_AT_ONCE && !sending.has(id)) sending.set(id, sendAll(delivery));
      }
    },
    async stop() {
      stop.abort();
      await Promise.all(sending.values());
    },
  };
}
