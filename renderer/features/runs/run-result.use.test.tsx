// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted } from '../../../test/support/mounted.ts';
import { RunResult } from './run-result.tsx';

freshWindows();

test('a list of objects is a table with every field, as JSON on demand', async () => {
  const user = mounted(<RunResult text='[{"a": 1}, {"b": "two"}]' testId="out" />);
  const table = await screen.findByRole('table', { name: 'Output' });
  const heads = within(table).getAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual(['#', 'a', 'b']);
  await within(table).findByText('two');
  await user.click(screen.getByLabelText('JSON'));
  expect(JSON.parse(screen.getByTestId('items-json').textContent ?? '')).toHaveLength(2);
});

test('any other text stays a text', () => {
  for (const text of ['[1, 2]', '[]', '[draft] Hello', '{"a": 1}']) {
    mounted(<RunResult text={text} testId={text} />);
    expect(screen.getByTestId(text).tagName).toBe('PRE');
  }
});
