// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getRun } from '../../../../server/contract/dashboard/runs.ts';
import { freshWindows, mounted } from '../../../../test/support/mounted.ts';
import { routeKey } from '../../../data/query-client.ts';
import { keepCase, noteRun, readCases } from './case-store.ts';
import { RunCases } from './run-cases.tsx';

freshWindows();

const answered = (runId: string, status: string, output_text: string) =>
  [
    routeKey(getRun, { params: { run_id: runId } }),
    { status, is_terminal: true, output_text, error: null },
  ] as const;

function cases(draft: string, names: readonly string[]) {
  for (const name of names) {
    keepCase(draft, { name, input: `about ${name}`, trigger: '' });
    const { id } = readCases(draft).cases.find((one) => one.name === name) ?? { id: '' };
    noteRun(draft, { runId: `${name}-run`, at: '2026-01-01T00:00:00Z', caseId: id });
  }
  const ran: string[] = [];
  const user = mounted(
    <RunCases
      draft={draft}
      input=""
      trigger=""
      onRun={(one) => {
        ran.push(one.name);
        return Promise.resolve();
      }}
      onTake={() => undefined}
    />,
    [
      answered('refund-run', 'completed', '{"answer": "yes", "sum": 12}'),
      answered('praise-run', 'completed', 'Thank you'),
    ],
  );
  return { user, ran };
}

const row = (name: string) =>
  within(
    within(screen.getByRole('list', { name: 'Cases' }))
      .getAllByRole('listitem')
      .find((one) => one.textContent?.startsWith(name)) ?? document.body,
  );

test('what is expected of a case is told passed or not, and all together', async () => {
  const { user, ran } = cases('p\ncases.yaml', ['refund', 'praise']);
  expect(screen.queryByTestId('cases-summary')).toBeNull();
  await user.click(row('refund').getByRole('button', { name: 'Expected of refund' }));
  await user.selectOptions(await screen.findByTestId('expected-how'), 'json');
  const text = screen.getByTestId('expected-text');
  await user.type(text, '{{"answer": ');
  expect(screen.getByText('This is no JSON.')).toBeTruthy();
  await user.type(text, '"yes"}');
  await user.click(screen.getByTestId('expected-keep'));
  expect(await row('refund').findByText('passed')).toBeTruthy();
  expect(screen.getByTestId('cases-summary').textContent).toBe('1 of 1 passed');

  await user.click(row('praise').getByRole('button', { name: 'Expected of praise' }));
  await user.selectOptions(await screen.findByTestId('expected-status'), 'failed');
  await user.click(screen.getByTestId('expected-keep'));
  expect(await row('praise').findByText('not as expected')).toBeTruthy();
  expect(row('praise').getByText('It is completed, not failed.')).toBeTruthy();
  expect(screen.getByTestId('cases-summary').textContent).toBe('1 of 2 passed, 1 not as expected');
  await user.click(screen.getByTestId('run-all-cases'));
  expect(ran).toEqual(['refund', 'praise']);
});

test('the last run can be taken as what is expected, and that taken back', async () => {
  const { user } = cases('p\nlast.yaml', ['praise']);
  await user.click(row('praise').getByRole('button', { name: 'Expected of praise' }));
  await user.click(await screen.findByRole('button', { name: 'As in the last run' }));
  await user.click(screen.getByTestId('expected-keep'));
  expect(readCases('p\nlast.yaml').cases[0]?.expected).toEqual({
    status: 'completed',
    output: { how: 'equals', text: 'Thank you' },
  });
  expect(await row('praise').findByText('passed')).toBeTruthy();
  await user.click(row('praise').getByRole('button', { name: 'Expected of praise' }));
  await user.click(await screen.findByRole('button', { name: 'Expect nothing' }));
  expect(row('praise').queryByText('passed')).toBeNull();
});
