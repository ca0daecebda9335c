import type { RunsTable } from '../../store/platform-tables.ts';

export interface RunDeadlines {
  /** Runs past their deadline (epoch seconds) that are not over. */
  pastDeadline(now: number): RunsTable[];
  /** Runs whose deadline is still ahead, the next ones first. */
  nextDeadlines(now: number): { id: string; due: number }[];
}
