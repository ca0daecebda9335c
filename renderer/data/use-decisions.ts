import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { listAudit } from '../../server/contract/dashboard/audit.ts';
import { toldReader } from '../../server/contract/told.ts';
import { useHindrance } from './operator.ts';
import { routeQuery } from './query-client.ts';

/** What a person decided, as the platform's audit has it. */
export interface Decided {
  readonly actor: string | null;
  readonly at: string;
  readonly choice: string;
}

const readChoice = toldReader(z.object({ selected_option: z.string(), decision: z.string() }));

/** The way that was chosen, as the platform noted it. */
function choiceOf(metadata: object): string {
  const { selected_option, decision } = readChoice(metadata);
  return selected_option || decision || 'decided';
}

/** Who decided what in a run; nobody where the operator may not read the audit. */
export function useDecisions(runId: string, waits: number): readonly Decided[] {
  const mayRead = useHindrance('audit.read') === undefined;
  const query = { run_id: runId, event_type: 'human.decision', limit: 200 };
  const audit = useQuery({
    ...routeQuery(listAudit, { query }),
    // Asked again for every wait that ends.
    queryKey: [...routeQuery(listAudit, { query }).queryKey, waits],
    enabled: mayRead && waits > 0,
    retry: false,
  });
  return useMemo(
    () =>
      (audit.data?.rows ?? []).map(({ actor, operator, created_at, metadata }) => ({
        actor: operator ?? actor,
        at: created_at,
        choice: choiceOf(metadata),
      })),
    [audit.data],
  );
}
