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

test('any other text stays a text, JSON indented or as it came', async () => {
  for (const text of ['[1, 2]', '[]', '[draft] Hello', '{"a": 1}']) {
    mounted(<RunResult text={text} testId={text} />);
    expect(screen.getByTestId(text).querySelector('pre')).not.toBeNull();
  }
  expect(screen.getByTestId('{"a": 1}').textContent).toBe('{\n  "a": 1\n}');
  expect(screen.queryByRole('table')).toBeNull();
});

const WRITTEN = `# Refund

| order | sum |
| --- | --- |
| 7 | **30** |

<script>window.taken = true</script><b onclick="x()">raw</b>
![tracker](https://elsewhere.test/pixel.png) [site](https://elsewhere.test) [bad](javascript:alert(1))`;

test('Markdown is drawn without HTML of its own, and loads nothing from elsewhere', async () => {
  const user = mounted(<RunResult text={WRITTEN} testId="out" />);
  await user.click(screen.getByLabelText('Markdown'));
  await screen.findByRole('heading', { name: 'Refund' });
  const out = screen.getByTestId('out');
  expect(within(out).getByRole('cell', { name: '30' }).querySelector('strong')).not.toBeNull();
  expect(out.querySelectorAll('img, script, b, [onclick]')).toHaveLength(0);
  expect(out.textContent).toContain('[image: tracker, https://elsewhere.test/pixel.png]');
  expect(within(out).getByRole('link', { name: 'site' }).getAttribute('rel')).toContain('noopener');
  expect(within(out).getByText('bad').getAttribute('href') ?? '').toBe('');
});
