import { t } from '../../../preload/texts/t.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { paths } from '../../app/paths.ts';

/** What the run list shows; lives in the address. Absent fields filter nothing. */
export interface RunFilter {
  readonly status?: string | undefined;
  readonly since?: string | undefined;
  readonly q?: string | undefined;
  /** Exact name of a workflow. */
  readonly workflow?: string | undefined;
  /** What ran: a workflow, or an agent by itself. */
  readonly kind?: string | undefined;
  readonly errors?: boolean | undefined;
  readonly stuck?: boolean | undefined;
  /** Only runs that were created from this instant (ISO) on; not beside `since`. */
  readonly from?: string | undefined;
  /** Only runs that were created before this instant (ISO): the way past the platform's window. */
  readonly until?: string | undefined;
  /** A column; absent = newest change first. */
  readonly sort?: RunSort | undefined;
  readonly order?: 'asc' | undefined;
}

/** Columns that the list can be sorted by, with the platform's field. */
const SORTS = {
  updated: 'updated_at',
  created: 'created_at',
  status: 'status',
  workflow: 'workflow_name',
  tokens: 'usage.total_tokens',
} as const;

export type RunSort = keyof typeof SORTS;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const WINDOWS: Readonly<Record<string, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
};

const KINDS = ['workflow', 'agent'] as const;

/** The choices of `kind`. */
export const KIND_OPTIONS = [
  { value: '', label: t('Any kind') },
  { value: 'workflow', label: t('Workflow') },
  { value: 'agent', label: t('Single agent') },
];

/** The choices of `since`. */
export const SINCE_OPTIONS = [
  { value: '', label: t('Any time') },
  { value: '1h', label: t('Last hour') },
  { value: '24h', label: t('Last 24 hours') },
  { value: '7d', label: t('Last 7 days') },
];

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function instantOf(value: unknown): string | undefined {
  const at = Date.parse(textOf(value) ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

function isOn(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** True for the name of a column that the list can be sorted by. */
export function isRunSort(value: unknown): value is RunSort {
  return typeof value === 'string' && Object.hasOwn(SORTS, value);
}

function sortOf(search: Readonly<Record<string, unknown>>): Pick<RunFilter, 'sort' | 'order'> {
  const { sort } = search;
  const order = search['order'] === 'asc' ? 'asc' : undefined;
  if (!isRunSort(sort) || (sort === 'updated' && order === undefined)) {
    return { sort: undefined, order: undefined };
  }
  return { sort, order };
}

/** Reads a filter from the query of an address; a value that is not understood is ignored. */
export function readRunFilter(search: Readonly<Record<string, unknown>>): RunFilter {
  const since = textOf(search['since']);
  const from = instantOf(search['from']);
  const q = search['q'];
  return {
    status: textOf(search['status']),
    since:
      since !== undefined && from === undefined && Object.hasOwn(WINDOWS, since)
        ? since
        : undefined,
    q: typeof q === 'number' ? String(q) : textOf(q),
    workflow: textOf(search['workflow']),
    kind: KINDS.find((kind) => kind === search['kind']),
    errors: isOn(search['errors']) ? true : undefined,
    stuck: isOn(search['stuck']) ? true : undefined,
    from,
    until: instantOf(search['until']),
    ...sortOf(search),
  };
}

/** A filter as words of an address. */
export function filterWords(filter: RunFilter): Readonly<Record<string, string>> {
  const words = {
    status: filter.status,
    since: filter.since,
    q: filter.q?.trim(),
    workflow: filter.workflow,
    kind: filter.kind,
    errors: filter.errors === true ? '1' : undefined,
    stuck: filter.stuck === true ? '1' : undefined,
    from: filter.from,
    until: filter.until,
    sort: filter.sort,
    order: filter.order,
  };
  return Object.fromEntries(
    Object.entries(words).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}

/** The address of the list with a filter. */
export function runsPath(filter: RunFilter): string {
  const text = new URLSearchParams(filterWords(filter)).toString();
  return text === '' ? paths.runs() : `${paths.runs()}?${text}`;
}

/** True when anything is filtered; the order does not count. */
export function isFiltered(filter: RunFilter): boolean {
  return runsPath({ ...filter, sort: undefined, order: undefined }) !== paths.runs();
}

/** The query of the service; the boundary of `since` moves by whole minutes, so that it can be cached. */
export function runQuery(filter: RunFilter, nowMs: number) {
  const window = filter.since === undefined ? undefined : WINDOWS[filter.since];
  const after =
    window === undefined
      ? filter.from
      : new Date(Math.floor((nowMs - window) / MINUTE_MS) * MINUTE_MS).toISOString();
  return {
    ...(filter.status === undefined ? {} : { status: filter.status }),
    ...(filter.q === undefined ? {} : { q: filter.q }),
    ...(filter.workflow === undefined ? {} : { workflow_name: filter.workflow }),
    ...(filter.kind === undefined ? {} : { workflow_kind: filter.kind }),
    ...(filter.errors === true ? { has_error: true } : {}),
    ...(filter.stuck === true ? { stuck_only: true } : {}),
    ...(after === undefined ? {} : { created_after: after }),
    ...(filter.until === undefined ? {} : { created_before: filter.until }),
    ...(filter.sort === undefined
      ? {}
      : { sort_by: SORTS[filter.sort], sort_order: filter.order ?? ('desc' as const) }),
  };
}

/** The filter after a press on a column's head: downward, upward, then the usual order again. */
export function sortedBy(filter: RunFilter, column: RunSort): RunFilter {
  const usual = column === 'updated';
  if ((filter.sort ?? 'updated') !== column) {
    return { ...filter, sort: usual ? undefined : column, order: undefined };
  }
  return filter.order === undefined
    ? { ...filter, sort: column, order: 'asc' }
    : { ...filter, sort: undefined, order: undefined };
}

const FACET_NAMES: Readonly<Record<string, string>> = {
  q: 'search',
  has_error: t('errors only'),
  created_after: 'time',
  created_before: 'time',
  workflow_kind: 'kind',
  workflow_name: 'workflow',
};

const FILTER_NAMES: Readonly<Record<string, string>> = {
  since: 'last',
  from: 'after',
  until: 'before',
  q: 'search',
  errors: t('with error'),
};

/** What a person set the fields of a filter to, in their words; the order is left out. */
export function filterText(filter: RunFilter): string {
  const words = Object.entries(filterWords({ ...filter, sort: undefined, order: undefined }));
  return words.length === 0
    ? t('all runs')
    : words
        .map(([name, value]) => [FILTER_NAMES[name] ?? name, value])
        .map(([name, value]) => (value === '1' ? name : `${name} ${value}`))
        .join(', ');
}

/** The names on screen of the filters that the platform does not know. */
export function unsupportedText(names: readonly string[]): string {
  return [...new Set(names.map((name) => FACET_NAMES[name] ?? name))].join(', ');
}

/** Rows by their place in the list; places whose page is not read yet are missing. */
export type RowsByPlace = ReadonlyMap<number, RunRow>;

/** Rows that keep their places while somebody points at them. */
export interface HeldRows {
  readonly rows: RowsByPlace;
  /** Runs at the top that are new or moved up and are not shown where they belong yet. */
  readonly waiting: number;
}

/** Updates shown rows in place; runs that came to the first `top` places wait. */
export function holdOrder(shown: RowsByPlace, fresh: RowsByPlace, top: number): HeldRows {
  const byId = new Map([...fresh.values()].map((row) => [row.run_id, row]));
  const known = new Set([...shown.values()].map(({ run_id }) => run_id));
  const waiting = [...fresh].filter(([at, { run_id }]) => at < top && !known.has(run_id)).length;
  const rows = new Map<number, RunRow>();
  for (const [at, row] of fresh) {
    rows.set(at - waiting, row);
  }
  for (const [at, row] of shown) {
    rows.set(at, byId.get(row.run_id) ?? row);
  }
  return { rows, waiting };
}
