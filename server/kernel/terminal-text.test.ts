import { expect, test } from 'vitest';
import { showControls } from './terminal-text.ts';

test('what a terminal would obey is shown, not obeyed', () => {
  expect(showControls('\u001b]0;title\u0007 \u009b31m \u0008 \u007f a\rb')).toBe(
    '\\u001b]0;title\\u0007 \\u009b31m \\u0008 \\u007f a\\u000db',
  );
  expect(showControls('\u202eexe.txt\u2066\u200f')).toBe('\\u202eexe.txt\\u2066\\u200f');
});

test('tabs, line ends and every script stay', () => {
  const text = 'a\tb\nc äöü שלום مرحبا 漢字 🙂 👩‍👩‍👧';
  expect(showControls(text)).toBe(text);
  expect(showControls('a\r\nb')).toBe('a\nb');
});

test('JSON stays the same JSON', () => {
  const value = { text: 'a\u001b[2J\u009b2J\u007f\u202e\r\n\tb' };
  const json = JSON.stringify(value, null, 2);
  const shown = showControls(json);
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown).not.toMatch(/(?![\t\n])\p{Cc}/u);
});
