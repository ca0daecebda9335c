import { z } from 'zod';
import { locale, spoken } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import type { auditEvent, auditLogEntry } from '../../../server/contract/dashboard/audit.ts';
import { toldReader } from '../../../server/contract/told.ts';
import { isObject } from '../../../server/kernel/json.ts';
import { actorName } from '../../ui/actor-name.ts';
import { actWords, OUTCOME_WORDS } from '../../ui/audit-words.ts';
import { csvText } from '../../ui/csv-text.ts';

export type AuditEvent = z.output<typeof auditEvent>;
export type AuditLogEntry = z.output<typeof auditLogEntry>;

const OUTCOMES = ['ok', 'error', 'denied'] as const;

/** What the audit shows, as it stands in the address; what is absent is not asked for. */
export interface AuditView {
  readonly tab?: 'operators';
  /** The run that is asked about. */
  readonly run?: string;
  /** Days, as `2026-11-23`; both are included. */
  readonly since?: string;
  readonly until?: string;
  /** Of the platform: the type of an event. */
  readonly type?: string;
  /** Of people: who, how it went, and where. */
  readonly who?: string;
  readonly outcome?: (typeof OUTCOMES)[number];
  readonly environment?: string;
  /** Of people: words anywhere in an entry. */
  readonly words?: string;
}

const TEXTS = ['run', 'type', 'who', 'environment', 'words'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function textOf(value: unknown): string {
  // The router reads what looks like a number as one.
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Reads the view out of an address; what is not understood is not asked for. */
export function readAuditView(search: Readonly<Record<string, unknown>>): AuditView {
  const texts = TEXTS.map((name) => [name, textOf(search[name])] as const);
  const days = (['since', 'until'] as const).map((name) => [name, textOf(search[name])] as const);
  const outcome = OUTCOMES.find((known) => known === search['outcome']);
  return {
    ...(search['tab'] === 'operators' ? { tab: 'operators' as const } : {}),
    ...Object.fromEntries(texts.filter(([, value]) => value !== '')),
    ...Object.fromEntries(days.filter(([, value]) => DAY.test(value))),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** A view with other filters; an empty one is not asked for. */
export function withFilter(view: AuditView, change: Readonly<Record<string, string>>): AuditView {
  return readAuditView({ ...view, ...change });
}

/** The same days and run, on the other side. */
export function otherTab({ run, since, until }: AuditView, tab: string): AuditView {
  return readAuditView({ tab, run, since, until });
}

/** True when only some of the rows are asked for. */
export function isFiltered({ tab: _tab, ...filters }: AuditView): boolean {
  return Object.keys(filters).length > 0;
}

/** Midnight of a day, some days later, as a moment; empty for none. */
function midnight(day: string | undefined, later: number, utc: boolean): string {
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00${utc ? 'Z' : ''}`);
  if (Number.isNaN(at)) {
    return '';
  }
  const date = new Date(at);
  if (utc) {
    date.setUTCDate(date.getUTCDate() + later);
  } else {
    // Days have 23 or 25 hours where clocks change.
    date.setDate(date.getDate() + later);
  }
  return date.toISOString();
}

/** What is asked of a service for the days of a view, by the clock of this person. */
export function momentsOf(
  { since, until }: AuditView,
  utc: boolean,
): { readonly created_after: string; readonly created_before: string } {
  return { created_after: midnight(since, 0, utc), created_before: midnight(until, 1, utc) };
}

/** What a choice offers: the values that were seen, and the chosen one, sorted. */
export function seenChoices(
  seen: Iterable<string | null>,
  chosen: string | undefined,
): readonly string[] {
  return [...new Set([...seen, chosen ?? ''])]
    .filter((value) => value !== null && value !== '')
    .filter((value) => typeof value === 'string')
    .sort();
}

/** Entries of operators that have the words; none asks for nothing. */
export function matching(
  entries: readonly AuditLogEntry[],
  asked: string | undefined,
): readonly AuditLogEntry[] {
  const words = asked?.trim().toLowerCase() ?? '';
  return entries.filter((entry) => {
    const { operator, action, target, environment } = entry;
    return [operator, whoOf(entry), action, actWords(action), target, environment].some((text) =>
      text?.toLowerCase().includes(words),
    );
  });
}

/** Who wanted what, and how it went unless it was done. */
export function actLine(entry: AuditLogEntry): string {
  const act = t('{who}: {act}', { who: whoOf(entry), act: actWords(entry.action) });
  return entry.outcome === 'ok' ? act : `${act}, ${OUTCOME_WORDS[entry.outcome]}`;
}

/** The run that an entry is about, which then can be opened. */
export function runOf({ action, target }: AuditLogEntry): string | null {
  return action.startsWith('run.') || action === 'launch.run' ? target : null;
}

/** The receipt of a prune, which its entry is about; undefined for other entries. */
export function receiptOf({
  action,
  target,
}: Pick<AuditLogEntry, 'action' | 'target'>): Readonly<Record<string, unknown>> | undefined {
  if (!action.startsWith('store.prune') || target === null) {
    return undefined;
  }
  try {
    const receipt: unknown = JSON.parse(target);
    return isObject(receipt) ? receipt : undefined;
  } catch {
    return undefined;
  }
}

const readReceipt = toldReader(
  z.object({ cutoff: z.string(), tables: z.record(z.string(), z.object({ rows: z.int() })) }),
);

function prunedText(table: string, count: number): string {
  switch (table) {
    case 'audit_log':
      return t('{count, plural, one {# act} other {# acts}}', { count });
    case 'launches':
      return t('{count, plural, one {# launch} other {# launches}}', { count });
    default:
      return t('{count, plural, one {# row} other {# rows}} of {table}', { count, table });
  }
}

/** What a prune took out of the store, in words. */
export function prunedLine(receipt: Readonly<Record<string, unknown>>): string {
  const { cutoff, tables } = readReceipt(receipt);
  const counts = Object.entries(tables ?? {}).map(([name, table]) =>
    prunedText(name, table?.rows ?? 0),
  );
  return t('{counts} from before {day}, exported first', {
    counts: counts.join(', '),
    day: (cutoff ?? '').slice(0, 10),
  });
}

/** Who did it, in words. */
export function whoOf({ operator, details }: AuditLogEntry): string {
  return details?.name ?? actorName(operator);
}

/** What a launch was made of, in words; empty where that is not told. */
export function sourceLine({ details }: AuditLogEntry): string {
  const { source, via } = details ?? {};
  const of =
    source === undefined
      ? ''
      : source.kind === 'draft'
        ? t('draft {ref}', { ref: source.ref })
        : t('artifact {artifact_id} of {draft_ref}', {
            artifact_id: source.artifact_id.slice(0, 6),
            draft_ref: source.draft_ref,
          });
  return [of, via === 'studio' ? t('in the studio') : ''].filter((part) => part !== '').join(', ');
}

const IN_WORDS = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
/** Of English the order that needs no comma. */
const DAY_LOCALE = spoken() === 'en' ? 'en-GB' : locale();
/** Made once: there is a day to be told for every row. */
const LOCAL_DAYS = new Intl.DateTimeFormat(DAY_LOCALE, IN_WORDS);
const UTC_DAYS = new Intl.DateTimeFormat(DAY_LOCALE, { ...IN_WORDS, timeZone: 'UTC' });

/** The day of a moment, in words: "Today, Monday 23 November 2026". */
export function dayText(at: string, now: number, utc: boolean): string {
  const format = utc ? UTC_DAYS : LOCAL_DAYS;
  const day = format.format(Date.parse(at));
  if (day === format.format(now)) {
    return t('Today, {day}', { day });
  }
  const before = new Date(now);
  before.setDate(before.getDate() - 1);
  return day === format.format(before) ? t('Yesterday, {day}', { day }) : day;
}

/** Rows as a file; what a spreadsheet would compute is made harmless. */
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
