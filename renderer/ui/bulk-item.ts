import type { BulkItem } from './bulk-work.ts';
import { shortRunId } from './short-id.ts';

/** Runs as a list of what is done with them names them. */
export function bulkItem(run: { readonly run_id: string }, name: string): BulkItem {
  return { id: run.run_id, label: `${name} ${shortRunId(run.run_id)}` };
}
