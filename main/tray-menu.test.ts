import { expect, test } from 'vitest';
import { trayTemplate } from './tray-menu.ts';

test('the icon opens windows and projects, and quits', () => {
  const done: string[] = [];
  const actions = {
    open: () => void done.push('open'),
    newWindow: () => void done.push('new'),
    openProject: (id: string) => void done.push(id),
    quit: () => void done.push('quit'),
  };
  const labels = (items: ReturnType<typeof trayTemplate>) => items.map(({ label }) => label ?? '-');
  expect(labels(trayTemplate([], actions))).toEqual(['Open Specwright', 'New window', '-', 'Quit']);
  const items = trayTemplate([{ id: 'p1', name: 'Desk & Co' }], actions);
  expect(labels(items)).toEqual(['Open Specwright', 'New window', '-', 'Desk && Co', '-', 'Quit']);
  for (const { click } of items) (click as (() => void) | undefined)?.();
  expect(done).toEqual(['open', 'new', 'p1', 'quit']);
});
