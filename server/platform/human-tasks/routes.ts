import {
  getHumanTask,
  listHumanTasks,
  resumeHumanTaskRoute,
  type TaskItem,
} from '../../contract/platform/human-tasks.ts';
import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { ContinuationsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { pageItems } from '../lists/page-items.ts';
import type { Principal } from '../principal.ts';
import { parseObject } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import { resumeHumanTask } from './resume-human-task.ts';
import { toTask, toTaskItem } from './task-view.ts';

/** Rows that cannot be read are left out of lists with a log line. */
function readable(deps: PlatformDeps, rows: readonly ContinuationsTable[]): TaskItem[] {
  return rows.flatMap((row) => {
    try {
      return [toTaskItem(row, [])];
    } catch (error) {
      deps.log.warn({ continuation_id: row.id, err: error }, 'a human task cannot be read');
      return [];
    }
  });
}

/** GET /human-tasks, GET /human-tasks/{id}, POST /human-tasks/{id}/resume. */
export function registerHumanTasks(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(listHumanTasks, ({ query }) => {
    const filter = {
      run_id: query.run_id,
      workflow_kind: query.workflow_kind,
      status: query.status,
    };
    const window = readable(deps, deps.continuations.list(filter, LIST_WINDOW));
    const { page, facts } = pageItems(window, query, deps.continuations.count(filter));
    const tasks = page.map((item) => ({
      ...item,
      trace_events: deps.trace.page(item.run_id, undefined, LIST_WINDOW, 0).map(parseObject),
    }));
    return { tasks, ...facts };
  });
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
