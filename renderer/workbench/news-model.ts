import { t } from '../../preload/texts/t.ts';
import type { HumanTaskRow } from '../../server/contract/dashboard/human-tasks.ts';
import type { RunRow } from '../../server/contract/dashboard/runs.ts';
import { paths } from '../app/paths.ts';
import type { NewsKind } from '../data/preferences.ts';
import { errorInBrief } from '../data/run-error.ts';
import { runName } from '../data/run-name.ts';
import { shortRunId } from '../ui/short-id.ts';

/** Something that happened while a window was open. */
export interface News {
  /** The same for the same event, so that it is told once. */
  readonly id: string;
  readonly kind: NewsKind;
  readonly title: string;
  /** Empty for what was told before a reload. */
  readonly about: string;
  /** Where somebody deals with it. */
  readonly to: string;
  /** Epoch milliseconds at which the window noticed it. */
  readonly at: number;
}

/** What the services said at one look. */
export interface Look {
  readonly runs: readonly RunRow[];
  readonly tasks: readonly HumanTaskRow[];
}

/** What the kinds are called where they are switched. */
export const NEWS_WORDS: Readonly<Record<NewsKind, string>> = {
  failed: t('Runs that failed'),
  blocked: t('Runs that wait'),
  task: t('New tasks'),
  deadline: t('Tasks near their deadline'),
  finished: t('Runs that finished, while this window is not in front'),
};

/** So many are kept. */
const MOST = 200;

const RUN_WORDS = { failed: t('failed'), blocked: t('waits'), finished: t('finished') } as const;

function aboutRun(run: RunRow, kind: keyof typeof RUN_WORDS): string | null {
  if (kind === 'finished') {
    return run.output_preview;
  }
  return kind === 'failed' ? errorInBrief(run.error_preview) : run.current_node_id;
}

function ofRun(run: RunRow, kind: keyof typeof RUN_WORDS, at: number): News {
  const name = `${runName(run)} ${shortRunId(run.run_id)}`;
  return {
    // A run that is taken up again may fail again: that is new.
    id: `${kind} ${run.run_id} ${run.updated_at}`,
    kind,
    title: `${name} ${RUN_WORDS[kind]}`,
    about: aboutRun(run, kind) ?? '',
    to: paths.run(run.run_id),
    at,
  };
}

function ofTask(task: HumanTaskRow, kind: 'task' | 'deadline', at: number): News {
  return {
    id: `${kind} ${task.continuation_id}`,
    kind,
    title:
      kind === 'task'
        ? task.request_summary
        : t('Due {deadline_age}', { deadline_age: task.deadline_age }),
    about: [kind === 'task' ? '' : task.request_summary, task.workflow_name, task.input_preview]
      .filter(Boolean)
      .join(' · '),
    to: paths.task(task.continuation_id),
    at,
  };
}

/** All that could be told of a look; a run that waits for an open task is told as that task. */
function eventsOf({ runs, tasks }: Look, at: number): readonly News[] {
  const asking = new Set(tasks.map(({ run_id }) => run_id));
  return [
    ...tasks
      .filter(({ near_deadline }) => near_deadline)
      .map((task) => ofTask(task, 'deadline', at)),
    ...tasks.map((task) => ofTask(task, 'task', at)),
    ...runs.filter(({ status }) => status === 'failed').map((run) => ofRun(run, 'failed', at)),
    ...runs.filter(({ status }) => status === 'completed').map((run) => ofRun(run, 'finished', at)),
    ...runs
      .filter(({ status, run_id }) => status === 'blocked' && !asking.has(run_id))
      .map((run) => ofRun(run, 'blocked', at)),
  ];
}

/** What was seen before, and what is kept of it for the centre. */
export interface NewsState {
  /** Null before the first look, which tells nothing but deadlines: what is there is not new. */
  readonly seen: ReadonlySet<string> | null;
  /** Runs that wait and are not told yet: their task may come with the next look. */
  readonly waiting: ReadonlySet<string>;
  readonly kept: readonly News[];
  readonly unread: number;
}

export const NO_NEWS: NewsState = {
  seen: null,
  waiting: new Set(),
  kept: [],
  unread: 0,
};

/** The state after a look, and what of it is to be told now. Kinds that are muted are not kept. */
export function afterLook(
  state: NewsState,
  look: Look,
  at: number,
  muted: readonly NewsKind[],
): { readonly state: NewsState; readonly told: readonly News[] } {
  const { seen, waiting } = state;
  const all = eventsOf(look, at);
  const later = ({ id, kind }: News): boolean =>
    seen !== null && kind === 'blocked' && !seen.has(id) && !waiting.has(id);
  const events = all.filter((news) => !later(news));
  const kept = new Set(state.kept.map(({ id }) => id));
  // A deadline that was told before the window was read anew is not told again.
  const fresh = events.filter(({ id, kind }) =>
    seen === null ? kind === 'deadline' && !kept.has(id) : !seen.has(id),
  );
  const told = fresh.filter(({ kind }) => !muted.includes(kind));
  return {
    state: {
      seen: new Set([...(seen ?? []), ...events.map(({ id }) => id)]),
      waiting: new Set(all.filter(later).map(({ id }) => id)),
      kept: [...told, ...state.kept].slice(0, MOST),
      unread: Math.min(MOST, state.unread + told.length),
    },
    told,
  };
}

/** What was told of tasks that nobody has to answer any more: somebody has, or they are over. */
export function settled(
  kept: readonly News[],
  tasks: readonly Pick<HumanTaskRow, 'continuation_id'>[],
): readonly News[] {
  const open = new Set(tasks.map(({ continuation_id }) => paths.task(continuation_id)));
  return kept.filter(({ kind, to }) => (kind === 'task' || kind === 'deadline') && !open.has(to));
}
