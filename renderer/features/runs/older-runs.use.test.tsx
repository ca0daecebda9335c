// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { OlderRuns } from './older-runs.tsx';
import type { RunFilter } from './run-filter-model.ts';

freshWindows();

const AT = '/dashboard/api/runs';
const row = (created_at: string | null) => ({
  ...{ run_id: 'r', status: 'completed', workflow_name: '', workflow_kind: '', agent_name: '' },
  ...{ current_node_id: null, current_step_index: null, current_step_id: null, updated_age: '' },
  ...{ created_at, updated_at: null, started_at: null, completed_at: null, environment: null },
  ...{ blocked: false, has_error: false, stuck: false, stuck_reason: null, offline: false },
  ...{ usage: null, spec_name: null, session_id: null },
  ...{ input_preview: null, output_preview: null, error_preview: null },
});
const page = (rows: readonly object[]) => ({
  ...{ rows, count: rows.length, total: 5000, limit: 1, offset: 999, window: 1000 },
  unsupported_filters: [],
});

test('the last run that is reached is asked for, wherever the list was scrolled to', async () => {
  peer.answer('GET', AT, 200, page([row('2026-11-20T00:00:00Z')]));
  const shown: RunFilter[] = [];
  const filter = { workflow: 'letters' };
  const user = mounted(
    <OlderRuns filter={filter} reachable={1000} onShow={(next) => shown.push(next)} />,
  );
  await user.click(screen.getByTestId('older-runs'));
  await waitFor(() => expect(shown).toEqual([{ ...filter, until: '2026-11-20T00:00:00Z' }]));
  expect(peer.reads).toEqual([`${AT}?workflow_name=letters&limit=1&offset=999`]);
});

test('a read that fails says so, and the list stays', async () => {
  peer.answer('GET', AT, 400, { code: 'bad_request', message: 'No.', request_id: 'x' });
  const shown: RunFilter[] = [];
  const user = mounted(
    <OlderRuns filter={{}} reachable={1000} onShow={(next) => shown.push(next)} />,
  );
  await user.click(screen.getByTestId('older-runs'));
  await screen.findByText('No.');
  expect(shown).toEqual([]);
});
