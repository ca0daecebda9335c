import type { ListRequest } from '../../contract/platform/lists.ts';
import type { AuditEventsTable } from '../../store/platform-tables.ts';

export interface AuditFilter {
  readonly event_type: string | undefined;
  readonly run_id: string | undefined;
  /** In the stored form: from this moment on, and before that one. */
  readonly created_after: string | undefined;
  readonly created_before: string | undefined;
}

/** An event and its place in the store. */
export interface PlacedEvent {
  readonly place: number;
  readonly row: AuditEventsTable;
}

/** The audit events of a filter. */
export interface AuditPages {
  count(filter: AuditFilter): number;
  /** Rows of a page in the order of a column; undefined when the field is none. */
  page(filter: AuditFilter, request: ListRequest): PlacedEvent[] | undefined;
  /** Places of the newest matches in the store, newest first. */
  window(filter: AuditFilter): number[];
  /** Rows by their places, in this order; those that are gone are left out. */
  read(places: readonly number[]): PlacedEvent[];
}
