import { createStore } from '../ui/store.ts';

/** A source that somebody wants to import again for the draft that it made. */
export interface ReimportRequest {
  readonly projectId: string;
  /** The draft that carries the earlier import. */
  readonly ref: string;
  readonly source: string;
  readonly conversion: 'extended' | 'strict';
  /** Hash of the file that was imported, by which it is known again. */
  readonly sourceSha256: string;
}

/** The open request; null while the dialog is closed. */
export const reimportStore = createStore<ReimportRequest | null>(null);
