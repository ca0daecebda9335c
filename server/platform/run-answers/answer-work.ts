import type { ListRequest } from '../../contract/platform/lists.ts';
import { listFactsOf } from '../lists/page-items.ts';
import { runListBytes } from '../run-list/run-list-bytes.ts';
import type { RunReader } from '../run-list/run-reader-repository.ts';
import { endedResultText, runStatusText, type TextDeps } from './run-status-text.ts';

export interface AnswerDeps extends TextDeps {
  readonly runList: Pick<RunReader, 'shown' | 'items'>;
}

/** All that is answered of runs as JSON text, by name. */
export const RUN_ANSWERS = {
  /** @throws Refusal not_found. */
  status: runStatusText,
  /** @throws Refusal not_found. */
  ended: endedResultText,
  list(
    { runList }: AnswerDeps,
    seqs: readonly number[],
    request: ListRequest,
    total: number,
    briefs: readonly string[] = [],
  ): Uint8Array {
    const items = runList.items(seqs);
    const facts = listFactsOf(request, items.length + briefs.length, total);
    return runListBytes(items, facts, briefs);
  },
};
