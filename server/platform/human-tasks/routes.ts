import {
  getHumanTask,
  listHumanTasks,
  resumeHumanTaskRoute,
} from '../../contract/platform/human-tasks.ts';
import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { answerText } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { ContinuationsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { inSlices } from '../lists/in-slices.ts';
import { listBytes } from '../lists/list-bytes.ts';
import { listFactsOf, sortByKey, sortKeyOf, valueAt } from '../lists/page-items.ts';
import { oneByOne } from '../lists/time-slices.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import type { TaskFilter } from './continuations-repository.ts';
import { resumeHumanTask } from './resume-human-task.ts';
import { toTask, toTaskItem } from './task-view.ts';

interface ReadTask {
  readonly row: ContinuationsTable;
  readonly text: string;
}

/** Rows that cannot be read are left out of lists with a log line. */
function readable(deps: PlatformDeps, rows: readonly ContinuationsTable[]): ReadTask[] {
  return rows.flatMap((row) => {
    try {
      return [{ row, text: row.shown ?? JSON.stringify(toTaskItem(row)) }];
    } catch (error) {
      deps.log.warn({ continuation_id: row.id, err: error }, 'a human task cannot be read');
      return [];
    }
  });
}

type TaskQuery = TaskFilter & ListRequest;

/** The rows of a page; a sort by something inside of the items reads all of the window. */
async function pageOf(deps: PlatformDeps, query: TaskQuery): Promise<ReadTask[]> {
  const page = deps.continuations.page(query, query);
  if (page !== undefined) return readable(deps, page);
  const keyed = await inSlices(deps.continuations.window(query), (ids) =>
    readable(deps, deps.continuations.read(ids)).map(({ row, text }) => ({
      id: row.id,
      key: sortKeyOf(valueAt(JSON.parse(text), query.sort_by)),
    })),
  );
  const sorted = sortByKey(keyed, ({ key }) => key, query.sort_order);
  const ids = sorted.slice(query.offset, query.offset + query.limit).map(({ id }) => id);
  return readable(deps, deps.continuations.read(ids));
}

/**
 * GET /human-tasks as UTF-8: stored items, each with the trace of its run. Traces can be long: the
 * store joins each, and other requests get their turn between two.
 */
async function taskListBytes(deps: PlatformDeps, query: TaskQuery): Promise<Uint8Array> {
  const items = await oneByOne(await pageOf(deps, query), ({ row, text }) => {
    const { bytes } = deps.trace.pageBytes(row.run_id, undefined, LIST_WINDOW, 0);
    return listBytes(text, 'trace_events', [bytes]);
  });
  const facts = listFactsOf(query, items.length, deps.continuations.count(query));
  return listBytes('{}', 'tasks', items, JSON.stringify(facts));
}

/** GET /human-tasks, GET /human-tasks/{id}, POST /human-tasks/{id}/resume. */
export function registerHumanTaskRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(listHumanTasks, async ({ query }) =>
    answerText(
      await taskListBytes(deps, {
        ...query,
        run_id: query.run_id,
        workflow_kind: query.workflow_kind,
        status: query.status,
      }),
    ),
  );
  app.implement(getHumanTask, ({ params }) => {
    const row = deps.continuations.find(params.continuation_id);
    if (row === undefined) throw refuse('not_found');
    return toTask(row);
  });
  app.implement(resumeHumanTaskRoute(deps.config.limits), ({ params, body }, { principal }) =>
    resumeHumanTask(deps, {
      continuationId: params.continuation_id,
      body,
      principal,
    }),
  );
}
