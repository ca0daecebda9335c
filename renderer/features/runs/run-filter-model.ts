import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { paths } from '../../app/paths.ts';

/** What the run list shows; lives in the address. Absent fields filter nothing. */
export interface RunFilter {
  readonly status?: string | undefined;
  readonly since?: string | undefined;
  readonly q?: string | undefined;
  readonly errors?: boolean | undefined;
  readonly stuck?: boolean | undefined;
}

/** Statuses that a run can have, in the order of its life. */
export const RUN_STATUSES = [
  'queued',
  'running',
  'blocked',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
  'expired',
] as const;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const WINDOWS: Readonly<Record<string, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
};

/** The choices of `since`. */
export const SINCE_OPTIONS = [
  { value: '', label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
];

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isOn(value: unknown): boolean {
  return value === true || value === '1' || value === 'true';
}

/** Reads a filter from the query of an address; what is not understood filters nothing. */
export function readRunFilter(search: Readonly<Record<string, unknown>>): RunFilter {
  const since = textOf(search['since']);
  return {
    status: textOf(search['status']),
    since: since !== undefined && Object.hasOwn(WINDOWS, since) ? since : undefined,
    q: textOf(search['q']),
    errors: isOn(search['errors']) ? true : undefined,
    stuck: isOn(search['stuck']) ? true : undefined,
  };
}

/** The address of the list with a filter. */
export function runsPath(filter: RunFilter): string {
  const words = {
    status: filter.status,
    since: filter.since,
    q: filter.q?.trim(),
    errors: filter.errors === true ? '1' : undefined,
    stuck: filter.stuck === true ? '1' : undefined,
  };
  const entries = Object.entries(words).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value]],
  );
  const text = new URLSearchParams(entries).toString();
  return text === '' ? paths.runs() : `${paths.runs()}?${text}`;
}

/** True when anything is filtered. */
export function isFiltered(filter: RunFilter): boolean {
  return runsPath(filter) !== paths.runs();
}

/** The query of the service; the boundary of `since` moves by whole minutes, so that it can be cached. */
export function runQuery(filter: RunFilter, nowMs: number) {
  const window = filter.since === undefined ? undefined : WINDOWS[filter.since];
  const boundary =
    window === undefined ? undefined : Math.floor((nowMs - window) / MINUTE_MS) * MINUTE_MS;
  return {
    ...(filter.status === undefined ? {} : { status: filter.status }),
    ...(filter.q === undefined ? {} : { q: filter.q }),
    ...(filter.errors === true ? { has_error: true } : {}),
    ...(filter.stuck === true ? { stuck_only: true } : {}),
    ...(boundary === undefined ? {} : { created_after: new Date(boundary).toISOString() }),
  };
}

const FACET_NAMES: Readonly<Record<string, string>> = {
  q: 'search',
  has_error: 'errors only',
  created_after: 'time',
  created_before: 'time',
  workflow_kind: 'kind',
};

/** The names on screen of the filters that the platform does not know. */
export function unsupportedText(names: readonly string[]): string {
  return [...new Set(names.map((name) => FACET_NAMES[name] ?? name))].join(', ');
}

/** The rows of several pages, each run once: pages move while they are read. */
export function uniqueRows(pages: readonly { readonly rows: readonly RunRow[] }[]): RunRow[] {
  const seen = new Map<string, RunRow>();
  for (const row of pages.flatMap((page) => page.rows)) {
    if (!seen.has(row.run_id)) {
      seen.set(row.run_id, row);
    }
  }
  return [...seen.values()];
}

/** Rows that keep their places while somebody points at them. */
export interface HeldRows {
  readonly rows: readonly RunRow[];
  /** Runs that are new or moved up and are not shown where they belong yet. */
  readonly waiting: number;
}

/** Updates shown rows in place and adds what follows them; runs that belong above wait. */
export function holdOrder(shown: readonly RunRow[], fresh: readonly RunRow[]): HeldRows {
  const byId = new Map(fresh.map((row) => [row.run_id, row]));
  const known = new Set(shown.map((row) => row.run_id));
  const last = fresh.findLastIndex((row) => known.has(row.run_id));
  const waiting = fresh.slice(0, last + 1).filter((row) => !known.has(row.run_id)).length;
  const kept = shown.map((row) => byId.get(row.run_id) ?? row);
  return { rows: [...kept, ...fresh.slice(last + 1)], waiting };
}
