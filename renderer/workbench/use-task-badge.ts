import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listHumanTasks } from '../../server/contract/dashboard/human-tasks.ts';
import { routeQuery } from '../data/query-client.ts';
import { isUsable, useStandings } from '../data/sign-in.ts';
import { setBadge } from './badges-store.ts';

/** Keeps the count of waiting tasks on the activity rail. */
export function useTaskBadge(): void {
  const { dashboard } = useStandings();
  const tasks = useQuery({
    ...routeQuery(listHumanTasks, {}),
    refetchInterval: 8_000,
    retry: false,
    enabled: isUsable(dashboard),
  });
  const count = tasks.data?.total ?? 0;
  useEffect(() => setBadge('tasks', count), [count]);
}
