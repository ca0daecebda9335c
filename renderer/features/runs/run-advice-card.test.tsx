// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { getRecovery } from '../../../server/contract/dashboard/run-record.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { getMe } from '../../../server/contract/dashboard/session.ts';
import type { Recovery } from '../../../server/contract/platform/run-reads.ts';
import { drawn } from '../../../test/support/drawn.ts';
import { routeQuery } from '../../data/query-client.ts';
import { RunAdviceCard } from './run-advice-card.tsx';

const RUN = { run_id: 'r1', status: 'failed', is_terminal: true } as RunDetail;

function card(masked?: true, capabilities?: readonly string[]) {
  const recovery = {
    run_id: 'r1',
    error: { type: 'ProviderError' },
    current_node_id: 'write',
    replay_context: {
      can_continue: true,
      checkpoint_count: 2,
      completed_steps: ['read'],
      completed_nodes: [],
      failed_step: 'write',
      failed_node: null,
    },
    ...(masked === undefined ? {} : { masked }),
  } as unknown as Recovery;
  return drawn(<RunAdviceCard run={RUN} onChange={() => undefined} onRerun={() => undefined} />, [
    [routeQuery(getRecovery, { params: { run_id: 'r1' } }).queryKey, recovery],
    ...(capabilities === undefined
      ? []
      : [
          [
            routeQuery(getMe).queryKey,
            { ...{ identity: 'i', role: 'viewer' }, capabilities },
          ] as const,
        ]),
  ]);
}

test('what goes on without its secrets says so, and what to do, before it is continued', () => {
  const page = card(true);
  expect(page.text).toContain('Continue repeats write with the last saved state.');
  expect(page.text).toContain('Secrets of this run were masked when it failed');
  expect(page.text).toContain('run it again with edits');
  expect(page.text.indexOf('[REDACTED]')).toBeLessThan(page.text.lastIndexOf('Continue'));
  expect(page.tags('data-testid="advice-rerun"')).toHaveLength(1);
});

test('a role without control of runs is offered nothing, and told why (OD-143)', () => {
  const page = card(undefined, []);
  for (const id of ['continue-run', 'advice-rerun']) {
    expect(page.tags(`data-testid="${id}"`)[0]).toContain('disabled');
  }
  expect(page.tags('data-testid="advice-rerun"')[0]).toContain('does not include run.control');
});

test('without a mask nothing is said of secrets', () => {
  expect(card().text).not.toContain('masked');
});
