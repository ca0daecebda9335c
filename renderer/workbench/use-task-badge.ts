import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type HumanTaskPage, listHumanTasks } from '../../server/contract/dashboard/human-tasks.ts';
import { useMayAsk } from '../data/environment.ts';
import { routeQuery } from '../data/query-client.ts';
import { restful } from '../data/rest.ts';
import { setBadge } from './badges-store.ts';

const pace = restful(({ total }: HumanTaskPage) => total, { busy: 8_000, rest: 15_000 });

/** Keeps the count of waiting tasks on the activity rail. */
export function useTaskBadge(): void {
  const enabled = useMayAsk();
  const tasks = useQuery({
    ...routeQuery(listHumanTasks, {}),
    refetchInterval: pace,
    retry: false,
    enabled,
  });
  const count = tasks.data?.total ?? 0;
  useEffect(() => setBadge('tasks', count), [count]);
}
