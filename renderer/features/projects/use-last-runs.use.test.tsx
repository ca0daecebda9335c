// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { useLastRuns } from './use-last-runs.ts';

freshWindows();

const row = {
  ...{ run_id: 'r', status: 'failed', workflow_name: '', workflow_kind: '', agent_name: '' },
  ...{ current_node_id: null, current_step_index: null, current_step_id: null, updated_age: '' },
  ...{ created_at: null, updated_at: null, started_at: null, completed_at: null, usage: null },
  ...{ blocked: false, has_error: true, stuck: false, stuck_reason: null, offline: false },
  ...{ spec_name: null, session_id: null, environment: null },
  ...{ input_preview: null, output_preview: null, error_preview: null },
};

function Last() {
  const runs = useLastRuns('default');
  return (
    <ul>
      {[...runs].map(([ref, { status }]) => (
        <li key={ref}>{`${ref} ${status}`}</li>
      ))}
    </ul>
  );
}

test('how a draft ran last is asked for by the session of its newest run, and nothing else', async () => {
  peer.answer('GET', '/studio/api/projects/default/draft-sessions', 200, [
    { draft_ref: 'a.yaml', session_id: 'studio-1', started_at: '2026-11-21T08:00:00Z' },
    { draft_ref: 'b.yaml', session_id: 'studio-2', started_at: '2026-11-21T09:00:00Z' },
  ]);
  peer.answer('GET', '/dashboard/api/runs', 200, {
    ...{ rows: [row], count: 1, total: 1, limit: 1, offset: 0, window: 1000 },
    unsupported_filters: [],
  });
  mounted(<Last />);
  expect(await screen.findByText('a.yaml failed')).toBeTruthy();
  expect(await screen.findByText('b.yaml failed')).toBeTruthy();
  const runs = peer.reads.filter((url) => url.startsWith('/dashboard/api/runs'));
  expect(runs.map((url) => new URL(url, peer.url).search).toSorted()).toEqual([
    '?session_id=studio-1&limit=1&offset=0',
    '?session_id=studio-2&limit=1&offset=0',
  ]);
});
