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
