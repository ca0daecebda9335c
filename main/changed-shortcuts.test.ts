import { expect, test } from 'vitest';
import { COMMANDS } from '../preload/commands.ts';
import { acceleratorOf, readShortcuts } from './changed-shortcuts.ts';

test('only known commands and what can be keys are taken over', () => {
  expect(
    readShortcuts({
      ...{ 'draft.save': 'mod+shift+L', 'view.panel': null, 'go.find': 'mod+Plus' },
      ...{ 'no.such': 'mod+1', 'go.back': 'mod+A\nB', 'go.runs': 7, 'go.tasks': 'x'.repeat(50) },
    }),
  ).toEqual({ 'draft.save': 'mod+shift+L', 'view.panel': null, 'go.find': 'mod+Plus' });
  for (const none of [null, 'text', 1, ['mod+A']]) expect(readShortcuts(none)).toEqual({});
});

test('keys are shown as the system writes them; keys that it has no name for are not', () => {
  expect(acceleratorOf('mod+shift+Enter')).toBe('CmdOrCtrl+Shift+Return');
  expect(acceleratorOf('alt+ArrowLeft')).toBe('Alt+Left');
  expect(acceleratorOf('mod+MediaPlayPause')).toBeUndefined();
  for (const { shortcut } of COMMANDS)
    if (shortcut !== undefined) expect(acceleratorOf(shortcut), shortcut).toBeDefined();
});
