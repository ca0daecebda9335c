// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { freshWindows, mounted } from '../../../../test/support/mounted.ts';
import { registerHandler } from '../../../app/commands.ts';
import { listenForShortcuts } from '../../../app/keyboard.ts';
import { useSingleKeys } from '../../../app/use-single-keys.ts';
import { preferencesStore } from '../../../data/preferences.ts';
import { KeySettings } from './key-settings.tsx';

freshWindows();
beforeEach(() => preferencesStore.set({}));

const rowOf = (id: string) => within(screen.getByTestId(`keys-${id}`));

test('a command is found by its words or keys, and gets the keys that are pressed', async () => {
  const user = mounted(<KeySettings />);
  const ran: string[] = [];
  const stops = [
    registerHandler('draft.save', () => ran.push('save')),
    registerHandler('view.sidebar', () => ran.push('sidebar')),
    listenForShortcuts(window),
  ];
  await user.type(screen.getByTestId('key-search'), 'ctrl+s');
  expect(screen.getByTestId('keys-draft.save')).toBeDefined();
  expect(screen.queryByTestId('keys-view.sidebar')).toBeNull();
  await user.clear(screen.getByTestId('key-search'));

  await user.click(rowOf('draft.save').getByRole('button', { name: 'Change the keys of Save' }));
  const field = await screen.findByTestId('record-keys');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keys of “Save”' }));
  await user.click(field);
  await user.keyboard('{Control>}c{/Control}');
  expect(dialog.getByRole('status').textContent).toBe(
    'Ctrl+C is for copying, pasting, undoing and choosing in texts.',
  );
  expect(dialog.getByRole('button', { name: 'Use these keys' }).hasAttribute('disabled')).toBe(
    true,
  );
  // The keys of another command are recorded, not carried out, and said to be its.
  await user.keyboard('{Control>}b{/Control}');
  expect(ran).toEqual([]);
  expect(dialog.getByRole('status').textContent).toBe('Ctrl+B is taken from “Toggle sidebar”.');
  await user.click(dialog.getByRole('button', { name: 'Use these keys' }));

  expect(preferencesStore.get().shortcuts).toEqual({ 'draft.save': 'mod+B', 'view.sidebar': null });
  expect(rowOf('draft.save').getByText('Ctrl+B')).toBeDefined();
  expect(rowOf('view.sidebar').getByText('none')).toBeDefined();
  await user.click(screen.getByTestId('key-search'));
  await user.keyboard('{Control>}b{/Control}{Control>}s{/Control}');
  expect(ran).toEqual(['save']);
  for (const stop of stops) stop();
});

test('one command or all of them get their usual keys back', async () => {
  preferencesStore.set({ shortcuts: { 'draft.save': 'mod+L', 'go.spend': 'mod+9' } });
  const user = mounted(<KeySettings />);
  await user.click(rowOf('draft.save').getByRole('button', { name: 'Reset the keys of Save' }));
  expect(preferencesStore.get().shortcuts).toEqual({ 'go.spend': 'mod+9' });
  await user.click(screen.getByTestId('keys-reset-all'));
  expect(preferencesStore.get().shortcuts).toEqual({});
  await user.click(await screen.findByTestId('undo'));
  expect(preferencesStore.get().shortcuts).toEqual({ 'go.spend': 'mod+9' });
});

test('single keys are switched off (WCAG 2.1.4)', async () => {
  const user = mounted(<KeySettings />);
  await user.click(screen.getByTestId('single-keys'));
  expect(preferencesStore.get().single_keys).toBe(false);
});

function Searching(props: { readonly onSearch: () => void }) {
  useSingleKeys({ 'search.go': props.onSearch });
  return null;
}

test('a single key gets another letter or sign, which acts at once; others are refused with the reason', async () => {
  let searched = 0;
  const user = mounted(
    <>
      <Searching
        onSearch={() => {
          searched += 1;
        }}
      />
      <KeySettings />
    </>,
  );
  const row = () => within(screen.getByTestId('single-key-search.go'));
  await user.keyboard('/');
  expect(searched).toBe(1);
  await user.click(row().getByRole('button', { name: 'Change the keys of Go to the search' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Keys of “Go to the search”' }));
  await user.click(await screen.findByTestId('record-keys'));
  await user.keyboard('{Control>}m{/Control}');
  expect(dialog.getByRole('status').textContent).toBe(
    'Ctrl+M is no single key: press a letter, a digit or a sign by itself.',
  );
  await user.keyboard('u');
  expect(dialog.getByRole('status').textContent).toBe('u is taken from “Undo the decision”.');
  await user.keyboard('g');
  expect(dialog.getByRole('status').textContent).toBe('g is free.');
  await user.click(dialog.getByRole('button', { name: 'Use these keys' }));
  expect(preferencesStore.get().changed_single_keys).toEqual({ 'search.go': 'g' });
  expect(row().getByText('g')).toBeDefined();
  await user.keyboard('g/');
  expect(searched).toBe(2);
  await user.click(row().getByRole('button', { name: 'Reset the keys of Go to the search' }));
  await user.keyboard('/');
  expect(searched).toBe(3);
});
