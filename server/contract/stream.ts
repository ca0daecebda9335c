import type { z } from 'zod';

/** A server-sent-events operation: event name → schema of its data. */
export interface Stream<Events extends Readonly<Record<string, z.ZodType>>> {
  readonly id: string;
  readonly service: 'platform' | 'dashboard' | 'studio' | 'gateway';
  readonly path: string;
  readonly summary: string;
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly events: Events;
  readonly access: string | null;
}

/** Declares a stream; frames are `event:` and one `data:` line of JSON. */
export function defineStream<const Events extends Readonly<Record<string, z.ZodType>>>(
  stream: Stream<Events>,
): Stream<Events> {
  return stream;
}
