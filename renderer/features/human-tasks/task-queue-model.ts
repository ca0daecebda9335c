import type { HumanTaskRow } from '../../../server/contract/dashboard/human-tasks.ts';

/** The task to look at: the chosen one while it is open, else the next in its place, else the first. */
export function chosenTask(
  rows: readonly HumanTaskRow[],
  wanted: string | null,
  lastIndex: number,
): HumanTaskRow | undefined {
  const found = rows.find((row) => row.continuation_id === wanted);
  return found ?? rows[Math.min(lastIndex, rows.length - 1)] ?? rows[0];
}

/** The neighbour of a task in the queue; the task itself at an end. */
export function neighbour(
  rows: readonly HumanTaskRow[],
  current: string | undefined,
  step: 1 | -1,
): HumanTaskRow | undefined {
  const at = rows.findIndex((row) => row.continuation_id === current);
  return rows[Math.max(0, Math.min(rows.length - 1, at + step))];
}

/** Fewer letters are found in nearly every id. */
const ID_LETTERS = 6;

/** True for a task that has all of the words, in whatever order; or a part of its run's id. */
export function isFound(
  row: Pick<HumanTaskRow, 'request_summary' | 'input_preview' | 'workflow_name' | 'run_id'>,
  name: string,
  words: string,
): boolean {
  const { request_summary, input_preview, workflow_name, run_id } = row;
  const text = [name, request_summary, input_preview, workflow_name].join('\n').toLowerCase();
  const isOfRun = (word: string): boolean => word.length >= ID_LETTERS && run_id.includes(word);
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word) || isOfRun(word));
}
