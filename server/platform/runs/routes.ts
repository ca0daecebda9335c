import { recoverRoutes } from '../../contract/platform/recover.ts';
import { rerunRoute, rerunState } from '../../contract/platform/rerun.ts';
import {
  BRIEF_RUNS_HEADER,
  cancelRun as cancelRoute,
  continueRun as continueRoute,
  createRunRoute,
  getRun,
  listRuns,
  runSpecRoute,
} from '../../contract/platform/runs.ts';
import { answerText } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { cancelRun } from './cancel-run.ts';
import { continueRun } from './continue-run.ts';
import { createRun } from './create-run.ts';
import { checkRecovery, recoverRun } from './recover-run.ts';
import { rerunRun } from './rerun-run.ts';
import { readRerunState } from './rerun-state.ts';

/** The operations that make and change runs, and the two reads of their state. */
export function registerRunRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  const { limits } = deps.config;
  app.implement(createRunRoute(limits), ({ body }, { principal }) =>
    createRun(deps, { body, principal, audit: 'run.created' }),
  );
  app.implement(runSpecRoute(limits), ({ body }, { principal }) =>
    createRun(deps, { body, principal, audit: 'spec.run' }),
  );
  app.implement(listRuns, async ({ query }, { headers }) => {
    const { seqs, total } = await deps.runList.page(query, query);
    const brief = headers[BRIEF_RUNS_HEADER]?.split(',').map((status) => status.trim());
    return answerText(await deps.runAnswers.list(seqs, query, total, brief));
  });
  app.implement(getRun, async ({ params }) =>
    answerText(await deps.runAnswers.status(params.run_id)),
  );
  app.implement(cancelRoute, async ({ params }, { principal }) => {
    const input = { runId: params.run_id, actor: principal.name };
    await deps.commits.turn(() => cancelRun(deps, input));
    return answerText(await deps.runAnswers.status(params.run_id));
  });
  app.implement(continueRoute, ({ params }, { principal }) =>
    continueRun(deps, { runId: params.run_id, principal }),
  );
  app.implement(rerunRoute(limits), ({ params, body }, { principal }) =>
    rerunRun(deps, { runId: params.run_id, body, principal }),
  );
  const recovering = recoverRoutes(limits);
  app.implement(recovering.checkRecovery, ({ params, body }, { principal }) =>
    checkRecovery(deps, { runId: params.run_id, body, principal }),
  );
  app.implement(recovering.recoverRun, ({ params, body }, { principal }) =>
    recoverRun(deps, { runId: params.run_id, body, principal }),
  );
  app.implement(rerunState, ({ params, query }) =>
    readRerunState(deps, params.run_id, query.checkpoint_sequence),
  );
}
