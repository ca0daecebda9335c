import '../../ui/plain-table.css';
import { useQuery } from '@tanstack/react-query';
import { listLaunches } from '../../../server/contract/dashboard/launch.ts';
import { routeQuery } from '../../data/query-client.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { RunLink } from './audit-parts.tsx';

/** A digest as far as people compare it. */
const SHOWN = 19;

/** The newest launches; a spec that was pasted is known by its digest alone. */
export function LaunchHistory() {
  const query = useQuery({ ...routeQuery(listLaunches), staleTime: 0 });
  const entries = query.data?.entries ?? [];
  return (
    <section className="sw-operate-section" data-testid="launch-history">
      <h2 className="sw-section-title">Launched from here</h2>
      <Unread query={query} rows={3} compact />
      {query.isSuccess && entries.length === 0 && <p>Nothing yet.</p>}
      {entries.length > 0 && (
        <>
          <p>The text of a pasted spec is not kept; its digest tells whether two were the same.</p>
          <table className="sw-plain-table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Spec</th>
                <th scope="col">Environment</th>
                <th scope="col">By</th>
                <th scope="col">Run</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <td>
                    <TimeAgo at={entry.created_at} />
                  </td>
                  <td title={entry.digest ?? ''}>
                    {entry.label}{' '}
                    {entry.digest !== null && (
                      <span className="sw-faint sw-mono">{entry.digest.slice(0, SHOWN)}</span>
                    )}
                  </td>
                  <td>{entry.environment ?? 'none'}</td>
                  <td>{entry.created_by}</td>
                  <td>{entry.run_id === null ? 'none' : <RunLink runId={entry.run_id} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}
