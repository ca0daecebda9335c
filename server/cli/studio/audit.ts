import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import type { AuditRow } from '../../store/studio-tables.ts';
import { readAudit } from '../../studio/host/audit.ts';
import { UsageFailure } from '../command-failure.ts';
import { printJson, printNote, sendText } from '../output.ts';
import { printTable } from '../table.ts';
import { type OperatorOptions, onStudioStore, positiveNumber } from './studio-store.ts';

export interface AuditOptions extends OperatorOptions {
  readonly project?: string;
  readonly since?: string;
  readonly actor?: string;
  readonly outcome?: AuditRow['outcome'];
  readonly limit: string;
  readonly csv?: boolean;
}

function sinceOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = parseTimestamp(text);
  if (at === undefined) throw new UsageFailure('--since must be a day or a time, as 2026-11-23.');
  return toTimestamp(at);
}

const HEAD = ['at', 'actor', 'action', 'outcome', 'project', 'run', 'detail'] as const;

/** `studio audit`: what happened in the whole studio, newest first. */
export async function audit(options: AuditOptions): Promise<number> {
  const { project, actor, outcome } = options;
  if (options.json && options.csv) throw new UsageFailure('Choose one of --json and --csv.');
  const since = sinceOf(options.since);
  const limit = positiveNumber('limit', options.limit);
  return onStudioStore(options, async (deps) => {
    const { entries, more } = await readAudit(deps, { project, actor, outcome, since, limit });
    if (options.json) printJson({ audit: entries });
    else if (options.csv) {
      const { stringify } = await import('csv-stringify/sync');
      const rows = entries.map((entry) => [
        ...HEAD.slice(0, -1).map((name) => entry[name]),
        JSON.stringify(entry.detail),
      ]);
      sendText(stringify([[...HEAD], ...rows], { escape_formulas: true }));
    } else {
      printTable(entries, [
        { head: 'TIME', show: (row) => row.at },
        { head: 'WHO', show: (row) => row.actor },
        { head: 'WHAT', show: (row) => row.action },
        { head: 'OUTCOME', show: (row) => row.outcome },
        { head: 'PROJECT', show: (row) => row.project },
        { head: 'DETAIL', show: (row) => row.detail },
      ]);
    }
    if (more) printNote(`Older ones are left out; --limit says how many are shown (${limit}).`);
    return 0;
  });
}
