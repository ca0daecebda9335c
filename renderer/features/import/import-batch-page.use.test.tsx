// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { BATCH_ROWS } from '../../../test/support/batch-rows.ts';
import { freshWindows, mounted } from '../../../test/support/mounted.ts';
import { history } from '../../app/navigation.ts';
import { ImportBatchPage } from './import-batch-page.tsx';
import { importBatchStore } from './import-batch-store.ts';

freshWindows();
afterEach(() => importBatchStore.set(null));

async function page() {
  importBatchStore.set({
    ...{ projectId: 'default', total: BATCH_ROWS.length, phase: 'done', before: [] },
    rows: BATCH_ROWS,
    cancel: () => undefined,
  });
  const user = mounted(<ImportBatchPage projectId="default" view={undefined} />);
  await screen.findByTestId('row-all/10.json');
  return user;
}

const shown = () =>
  within(screen.getByLabelText('Imported files'))
    .getAllByTestId(/^row-/)
    .map((row) => row.dataset['testid']?.replace('row-all/', ''));

test('what is nearest to a run stands first; an order is chosen by keyboard', async () => {
  const user = await page();
  expect(shown()).toEqual(['10.json', 'sub/1.json', '2.json', 'bad.json']);
  await user.click(screen.getByRole('combobox', { name: 'Order' }));
  await user.click(screen.getByRole('option', { name: 'Name' }));
  expect(shown()).toEqual(['10.json', 'bad.json', '2.json', 'sub/1.json']);
});

test('typing narrows the table; what matches nothing leads back to all files', async () => {
  const user = await page();
  const find = screen.getByLabelText('Find a file');
  await user.type(find, 'sub/');
  expect(shown()).toEqual(['sub/1.json']);
  expect(screen.getByTestId('batch-shown').textContent).toBe('1 of 4');
  await user.type(find, 'nothing');
  await user.click(screen.getByText('Show all files'));
  expect(shown()).toHaveLength(4);
  expect(screen.getByTestId('batch-shown').textContent).toBe('4 files');
});

test('a figure of the summary shows its files, and the chip of that state is on', async () => {
  const user = await page();
  await user.click(within(screen.getByTestId('batch-summary')).getByText('refused'));
  expect(shown()).toEqual(['bad.json']);
  screen.getByText('No.');
});

test('keys move from row to row; Enter opens a draft, and nothing where there is none', async () => {
  const user = await page();
  screen.getByTestId('row-all/10.json').focus();
  await user.keyboard('jj{ArrowUp}');
  expect(document.activeElement).toBe(screen.getByTestId('row-all/sub/1.json'));
  await user.keyboard('{Enter}');
  const opened = history.location.pathname;
  expect(opened).toContain('sub');
  screen.getByTestId('row-all/bad.json').focus();
  await user.keyboard('{Enter}');
  expect(history.location.pathname).toBe(opened);
});
