import * as contract from '../../contract/studio/history.ts';
import { answer } from '../../http/answer.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { nameVersion, readHistory, readVersion, restoreVersion } from './history.ts';

/** Binds the routes of what drafts were before. */
export function registerHistoryRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.getHistory, ({ params }, context) =>
    readHistory(deps, memberOf(context), params.ref),
  );
  app.implement(contract.readVersion, ({ params }, context) =>
    readVersion(deps, memberOf(context), params.version_id),
  );
  app.implement(contract.nameVersion, async ({ params, body }, context) => {
    await nameVersion(deps, memberOf(context), params.version_id, body.name);
    return answer(undefined);
  });
  app.implement(contract.restoreVersion, ({ params, body }, context) =>
    restoreVersion(deps, memberOf(context), params.version_id, body.expected_revision),
  );
}
