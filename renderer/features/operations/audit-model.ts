import type { z } from 'zod';
import type { auditEvent, auditLogEntry } from '../../../server/contract/dashboard/audit.ts';
import { csvText } from '../../ui/csv-text.ts';

export type AuditEvent = z.output<typeof auditEvent>;
export type AuditLogEntry = z.output<typeof auditLogEntry>;

/** The first facts of an event in one line; the rest stands in its details. */
export function factsLine(metadata: AuditEvent['metadata']): string {
  return Object.entries(metadata)
    .filter(([, value]) => value !== null && value !== '')
    .slice(0, 4)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' · ');
}

/** The types that the choice offers: those that were read, and the chosen one, sorted. */
export function typeChoices(events: readonly AuditEvent[], chosen: string): readonly string[] {
  const types = new Set(events.map(({ event_type }) => event_type));
  types.add(chosen);
  types.delete('');
  return [...types].sort();
}

/** Entries of operators that fit what is asked; an empty word asks for nothing. */
export function matching(
  entries: readonly AuditLogEntry[],
  asked: { readonly words: string; readonly outcome: string },
): readonly AuditLogEntry[] {
  const words = asked.words.trim().toLowerCase();
  return entries.filter(
    ({ operator, action, target, environment, outcome }) =>
      (asked.outcome === '' || outcome === asked.outcome) &&
      [operator, action, target ?? '', environment ?? ''].some((text) =>
        text.toLowerCase().includes(words),
      ),
  );
}

/** True where the target is a run, which then can be opened. */
export function isRunTarget({ action, target }: AuditLogEntry): boolean {
  return target !== null && (action.startsWith('run.') || action === 'launch.run');
}

/** Rows as a file. */
export function auditText(
  rows: readonly AuditEvent[] | readonly AuditLogEntry[],
  format: 'csv' | 'json',
): Promise<string> {
  if (format === 'json') {
    return Promise.resolve(`${JSON.stringify(rows, null, 2)}\n`);
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => {
    const values = new Map(Object.entries(row));
    return names.map((name) => {
      const value = values.get(name) ?? null;
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    });
  });
  return csvText(names, cells);
}
