import { getRunUsage, getUsage } from '../../contract/platform/usage.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { getShortRow } from '../run-record/get-run.ts';
import { readUsage } from './read-usage.ts';
import { sumCounts } from './sum-uses.ts';

/** What models used, in all and in one run. */
export function registerUsageRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(getUsage, ({ query }) => readUsage(deps, query));
  app.implement(getRunUsage, ({ params }) => {
    const { id } = getShortRow(deps, params.run_id);
    const steps = deps.usage.ofRun(id);
    return { run_id: id, steps, total: sumCounts(steps) };
  });
}
