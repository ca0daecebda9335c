// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { BulkActions } from './bulk-actions.tsx';

freshWindows();

const row = (run_id: string, status: string): RunRow => ({
  ...{ run_id, status, workflow_name: 'invoice', workflow_kind: 'graph', agent_name: 'clerk' },
  ...{ current_node_id: null, current_step_index: null, current_step_id: null, usage: null },
  ...{ updated_age: '1m', created_at: null, updated_at: null, environment: null },
  ...{ blocked: status === 'blocked', has_error: false, stuck: false, stuck_reason: null },
  ...{ spec_name: null, session_id: null, started_at: null, completed_at: null, offline: false },
  ...{ input_preview: null, output_preview: null, error_preview: null },
});

const cancelled = (run_id: string) => ({
  ...{ action: 'cancel', run_id, status: 'cancelled', new_run_id: null },
  ...{ continuation_id: null, idempotency_key: 'k' },
});

test('runs are stopped after a question; those that failed are tried again, alone', async () => {
  const kept: (readonly string[])[] = [];
  const runs = [row('run-a', 'running'), row('run-b', 'blocked'), row('run-c', 'completed')];
  const user = mounted(
    <BulkActions runs={runs} origins={new Map()} onKeep={(rest) => kept.push(rest)} />,
  );
  peer.answer('POST', '/dashboard/api/runs/run-a/cancel', 200, cancelled('run-a'));
  peer.answer('POST', '/dashboard/api/runs/run-b/cancel', 503, {
    ...{ code: 'store_unavailable', message: 'The store is busy.', request_id: 'bff-1' },
  });
  await user.click(screen.getByTestId('bulk-stop'));
  await screen.findByText('Stop 2 runs?');
  expect(peer.writes).toEqual([]);
  await user.click(screen.getByTestId('bulk-start'));
  await waitFor(() =>
    expect(screen.getByTestId('bulk-sum').textContent).toBe('1 run of 2 stopped, 1 failed'),
  );
  await screen.findByText('The store is busy.');
  peer.answer('POST', '/dashboard/api/runs/run-b/cancel', 200, cancelled('run-b'));
  await user.click(screen.getByTestId('bulk-start'));
  await waitFor(() =>
    expect(screen.getByTestId('bulk-sum').textContent).toBe('2 runs of 2 stopped'),
  );
  expect(peer.writes.map(({ path }) => path.split('/').at(-2)).sort()).toEqual([
    'run-a',
    'run-b',
    'run-b',
  ]);
  await user.click(screen.getByTestId('bulk-close'));
  expect(kept).toEqual([['run-c']]);
});

test('each choice takes the runs that it can be done with', () => {
  mounted(
    <BulkActions
      runs={[row('run-a', 'failed'), row('run-b', 'blocked'), row('run-c', 'running')]}
      origins={new Map()}
      onKeep={() => undefined}
    />,
  );
  expect(screen.getByTestId('bulk').textContent).toContain(
    '3 selectedStop 2…Continue 2…Run again 1…',
  );
});
