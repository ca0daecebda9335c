import { forgetRepair, listRepairs, recordRepair } from '../../contract/studio/repairs.ts';
import { answer } from '../../http/answer.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { forgetProjectRepair, listProjectRepairs, recordProjectRepair } from './record-repair.ts';

/** Binds the routes of repairs that many drafts share. */
export function registerRepairRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(listRepairs, (_input, context) =>
    listProjectRepairs(deps, memberOf(context).project),
  );
  app.implement(recordRepair, ({ body }, context) =>
    recordProjectRepair(deps, memberOf(context), body),
  );
  app.implement(forgetRepair, async ({ params }, context) => {
    await forgetProjectRepair(deps, memberOf(context), params.repair_id);
    return answer(undefined);
  });
}
