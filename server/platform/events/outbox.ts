import type { EventType, OutgoingEvent } from '../../contract/platform/webhooks.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { EventsRepository } from './events-repository.ts';

// Telling others what happens. The room promises: an event is written in the transaction of what it
// tells of, or neither is; it is sent to each receiver until that takes it or is given up, and what is
// given up can be sent again; a secret is shown once.

/** What happened. */
export interface EventFacts {
  readonly type: EventType;
  readonly data: OutgoingEvent['data'];
  /** Of an event that may be noticed several times and is told once; else a new one. */
  readonly id?: string;
}

export interface Outbox {
  /** True where some receiver wants events of the type. */
  isWanted(type: EventType): boolean;
  /** Writes an event for those who want it, in the caller's transaction; nothing where nobody does. */
  note(event: EventFacts): void;
}

/** The outbox of a store. */
export interface StoredOutbox extends Outbox {
  /** Asks with the next statement who wants what: for the events of one transaction. */
  ask(): Outbox;
}

export function createOutbox(
  repository: Pick<
    EventsRepository,
    'receivers' | 'receiversLater' | 'insertEvent' | 'insertDelivery'
  >,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): StoredOutbox {
  const over = (receiversOf: EventsRepository['receivers']): Outbox => {
    const wanting = (type: EventType) =>
      receiversOf().filter(({ events }) => {
        const types: unknown = JSON.parse(events);
        return Array.isArray(types) && types.includes(type);
      });
    return {
      isWanted: (type) => wanting(type).length > 0,
      note({ type, data, id = ids.uuid() }) {
        const receivers = wanting(type);
        if (receivers.length === 0) return;
        const at = toTimestamp(clock.now());
        const payload: OutgoingEvent = { type, timestamp: at, data };
        const row = { id, type, run_id: data.run_id, created_at: at };
        if (!repository.insertEvent({ ...row, payload: JSON.stringify(payload) })) return;
        for (const receiver of receivers) repository.insertDelivery(receiver.id, id, at);
      },
    };
  };
  return { ...over(repository.receivers), ask: () => over(repository.receiversLater()) };
}
