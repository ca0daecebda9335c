// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted } from '../../test/support/mounted.ts';
import { MarkdownView } from './markdown-view.tsx';

freshWindows();

const TEXT = `See [the manual](https://docs.example/a?b=c#d), [a file](file:///etc/passwd),
[a bank](https://bank.example@evil.example/), [a place](/runs/1) and [script](javascript:alert(1)).`;

test('a link of a text shows its whole address before anything goes there', async () => {
  const user = mounted(<MarkdownView text={TEXT} />);
  await user.click(screen.getByRole('link', { name: 'the manual' }));
  expect((await screen.findByTestId('outside-address')).textContent).toBe(
    'https://docs.example/a?b=c#d',
  );
  const open = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open in a new tab' });
  expect([open.href, open.target, open.rel]).toEqual([
    'https://docs.example/a?b=c#d',
    '_blank',
    'noreferrer noopener',
  ]);
  await user.click(screen.getByRole('button', { name: 'Copy address' }));
  expect(await navigator.clipboard.readText()).toBe('https://docs.example/a?b=c#d');
  await screen.findByText('The address is copied');
});

test('what leads to no site is text with its address', () => {
  mounted(<MarkdownView text={TEXT} />);
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['the manual']);
  expect(document.body.textContent).toContain('a bank (https://bank.example@evil.example/)');
  expect(document.body.textContent).toContain('a place (/runs/1)');
  expect(document.body.textContent).not.toContain('javascript');
});
