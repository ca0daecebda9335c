import { useQuery } from '@tanstack/react-query';
import {
  getTrust,
  revokeTrust,
  type TrustView,
  trustProject,
} from '../../server/contract/studio/trust.ts';
import { call } from './api-client.ts';
import { bindingsChanged } from './environments.ts';
import { useOwns } from './project-tree.ts';
import { queryClient, routeKey, routeQuery } from './query-client.ts';

const trustQuery = (projectId: string) => ({
  ...routeQuery(getTrust, { params: { project_id: projectId } }),
  staleTime: 60_000,
  retry: false,
});

/** Whether the functions of a project may run, for its owners: nobody else may know. */
export function useTrust(projectId: string | undefined): TrustView | undefined {
  const owns = useOwns(projectId ?? '');
  return useQuery({ ...trustQuery(projectId ?? ''), enabled: owns }).data;
}

/** As `useTrust`, once; undefined for somebody who may not know. */
export async function readTrust(projectId: string): Promise<TrustView | undefined> {
  return await queryClient.fetchQuery(trustQuery(projectId)).catch(() => undefined);
}

/** Trusts the folder of a project, or no longer. */
export async function changeTrust(projectId: string, trusted: boolean): Promise<void> {
  const params = { project_id: projectId };
  const view = await call(trusted ? trustProject : revokeTrust, { params });
  queryClient.setQueryData(routeKey(getTrust, { params }), view);
  await bindingsChanged();
}
