import { listHumanTasks } from '../../../server/contract/dashboard/human-tasks.ts';
import { getActivity, getOverview } from '../../../server/contract/dashboard/overview.ts';
import { listRuns } from '../../../server/contract/dashboard/runs.ts';
import { getMe } from '../../../server/contract/dashboard/session.ts';
import { getSpend } from '../../../server/contract/dashboard/spend.ts';
import { environmentStore } from '../../data/chosen-environment.ts';
import { isGranted } from '../../data/environment.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { beginBars } from '../../ui/bars.tsx';

/** The overview tells of so many hours. */
export const HOURS = 24;
/** Rows of each list of what needs a person. */
export const EACH = 5;
/** The window of time whose spend is shown first. */
export const FIRST_WINDOW = '7d';

/** The reads of the overview, each as the part of the page asks for it. */
export const overviewReads = {
  counts: routeQuery(getOverview),
  tasks: routeQuery(listHumanTasks, {}),
  stuck: routeQuery(listRuns, { query: { stuck_only: true, limit: EACH, offset: 0 } }),
  failed: routeQuery(listRuns, { query: { status: 'failed', limit: EACH, offset: 0 } }),
  activity: routeQuery(getActivity, { query: { hours: HOURS } }),
  spend: routeQuery(getSpend, { query: { window: FIRST_WINDOW } }),
};

/** False while nobody knows whether the dashboard answers who asks, in the environment that is shown. */
function isAnswered(): boolean {
  const me = queryClient.getQueryData(routeQuery(getMe).queryKey);
  if (me === undefined) {
    // The window of the program is let in; in a browser somebody may have to sign in first.
    return desktopApi() !== undefined;
  }
  return isGranted(me, environmentStore.get());
}

/** Asks for all that the overview shows, before it is drawn; its parts tell what could not be read. */
export function beginOverview(): void {
  beginBars();
  if (!isAnswered()) {
    return;
  }
  void queryClient.prefetchQuery(overviewReads.counts);
  void queryClient.prefetchQuery(overviewReads.tasks);
  void queryClient.prefetchQuery(overviewReads.stuck);
  void queryClient.prefetchQuery(overviewReads.failed);
  void queryClient.prefetchQuery(overviewReads.activity);
  void queryClient.prefetchQuery(overviewReads.spend);
}
