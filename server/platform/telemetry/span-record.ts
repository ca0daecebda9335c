/** What an attribute of a span may hold. */
export type AttributeValue = string | number | boolean;
export type SpanAttributes = Record<string, AttributeValue>;

/** A span that has ended. Plain data: it travels from the thread that met it to the one that sends it. */
export interface SpanRecord {
  readonly trace_id: string;
  readonly span_id: string;
  /** Null for the first span of a trace. */
  readonly parent_id: string | null;
  /** As it came with the parent; null = none came. */
  readonly trace_state: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'client' | 'server';
  /** Milliseconds since the epoch, as is `end`. */
  readonly start: number;
  readonly end: number;
  readonly attributes: SpanAttributes;
  /** Why it failed, for people; null = it did not. */
  readonly error: string | null;
}
