// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RunItems } from '../../../server/contract/platform/run-reads.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { RunItemsView } from './run-items.tsx';

freshWindows();

const PATH = '/dashboard/api/runs/r-7/record/items';
const LONG = `begin ${'long '.repeat(100)}end`;

type StepRun = RunItems['runs'][number];

const step = (at: number, name: string, more: Partial<StepRun> = {}): StepRun => ({
  ...{
    at,
    step: name,
    name,
    type: 'n8n-nodes-base.noOp',
    run: 0,
    pinned: false,
    within: [],
    sources: [],
  },
  answered_by: null,
  outputs: [[{ n: at }]],
  ...more,
});

const RUNS: readonly StepRun[] = [
  step(0, 'Begin', {
    pinned: true,
    answered_by: 'pinned',
    outputs: [[{ n: 1, deep: { a: [1] } }, { note: LONG }]],
  }),
  step(1, 'Check', {
    type: 'n8n-nodes-base.if',
    sources: [{ node: 'Begin', output: 0, run: 0 }],
    outputs: [null, [{ n: 1 }]],
  }),
  step(2, 'Loop', { run: 1, answered_by: 'mocked', outputs: [null] }),
];

function page(runs: readonly StepRun[], isOver = true) {
  peer.answer('GET', PATH, 200, { run_id: 'r-7', total: runs.length, runs });
  return mounted(<RunItemsView runId="r-7" isOver={isOver} />);
}

const rows = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByTestId(/^row-/)
    .map((row) => row.textContent);

test('steps stand in order with what each output gave; the last one is open', async () => {
  page(RUNS);
  await screen.findByTestId('run-items');
  expect(rows('Steps and what they gave')).toEqual([
    '1Begin12 itemspinned',
    '2Check1true 0 · false 1',
    '3Loop20 itemsmocked',
  ]);
  const open = screen.getByTestId('step-items');
  expect(open.textContent).toContain('Loop, run 2');
  expect(open.textContent).toContain('Nothing came out here');
});

test('a step of a called workflow stands under the one that called it', async () => {
  const within = [{ step: 'call', name: 'Call', run: 0, call: 0 }];
  page([step(0, 'Inner', { within }), step(1, 'Call')]);
  await screen.findByTestId('run-items');
  expect(rows('Steps and what they gave')).toEqual(['1Call ›Inner11 item', '2Call11 item']);
});

test('a step is opened by keyboard, its items whole and as JSON', async () => {
  const user = page(RUNS);
  (await screen.findByTestId('row-step-2')).focus();
  await user.keyboard('{ArrowUp}{ArrowUp}{Enter}');
  expect(rows('Items of Begin')).toEqual([
    '11{"a":[1]}',
    expect.stringMatching(/^2begin (long ?)+…$/),
  ]);
  screen.getByTestId('row-item-1').focus();
  await user.keyboard('{Enter}');
  expect(screen.getByTestId('item-detail').textContent).toContain(LONG);
  await user.click(screen.getByLabelText('Close item'));
  expect(screen.queryByTestId('item-detail')).toBeNull();
  await user.click(screen.getByLabelText('JSON'));
  const shown: unknown = JSON.parse(screen.getByTestId('items-json').textContent ?? '');
  expect(shown).toEqual(RUNS[0]?.outputs[0]);
});

test('the output that gave something is shown first, another one by choice', async () => {
  const user = page(RUNS);
  await user.click(await screen.findByTestId('row-step-1'));
  expect(screen.getByTestId('step-items').textContent).toContain('from Begin');
  expect(rows('Items of Check')).toEqual(['11']);
  await user.click(screen.getByLabelText('true (0)'));
  expect(screen.getByTestId('step-items').textContent).toContain('Nothing came out here');
});

test('while the run goes on the steps are read again', async () => {
  page([], false);
  await screen.findByText('No step has given anything yet');
  peer.answer('GET', PATH, 200, { run_id: 'r-7', total: 1, runs: [step(0, 'Begin')] });
  await waitFor(() => expect(rows('Steps and what they gave')).toEqual(['1Begin11 item']));
});

test('a read that fails is told, and can be tried again', async () => {
  const user = mounted(<RunItemsView runId="r-7" isOver />);
  const retry = await screen.findByRole('button', { name: /again|retry/i });
  peer.answer('GET', PATH, 200, { run_id: 'r-7', total: 0, runs: [] });
  await user.click(retry);
  await screen.findByText('No step gave anything');
});
