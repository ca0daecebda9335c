import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../preload/commands.ts';
import { matchesShortcut, refusalOf, shortcutOfStroke } from './shortcut.ts';
import { holdersOf, shortcutsOf, withShortcut, withUsual } from './shortcuts.ts';

const stroke = (key: string, code: string, held = '') => ({
  ...{ key, code, ctrlKey: held.includes('ctrl'), metaKey: held.includes('meta') },
  ...{ altKey: held.includes('alt'), shiftKey: held.includes('shift') },
});

function keysOf(id: string, changed = {}) {
  const command = COMMANDS.find((one) => one.id === id);
  return command === undefined ? [] : shortcutsOf(command, changed);
}

describe('a stroke that is recorded', () => {
  test.each([
    [stroke('s', 'KeyS', 'ctrl'), 'mod+S'],
    [stroke('P', 'KeyP', 'ctrl shift'), 'mod+shift+P'],
    [stroke('ArrowUp', 'ArrowUp', 'ctrl alt'), 'mod+alt+ArrowUp'],
    [stroke('+', 'Equal', 'ctrl shift'), 'mod+Plus'],
    [stroke(' ', 'Space', 'ctrl'), 'mod+Space'],
    // Another script, and a digit that needs no Shift on some keyboards: by the place of the key.
    [stroke('ы', 'KeyS', 'ctrl'), 'mod+S'],
    [stroke('&', 'Digit1', 'ctrl'), 'mod+1'],
    [stroke('F9', 'F9'), 'F9'],
  ])('is written as it is matched: %o', (pressed, written) => {
    expect(shortcutOfStroke(pressed, false)).toBe(written);
    expect(matchesShortcut(written, pressed, false)).toBe(true);
  });

  test('is none while only modifiers are held, or one that belongs to the system', () => {
    expect(shortcutOfStroke(stroke('Control', 'ControlLeft', 'ctrl'), false)).toBeUndefined();
    expect(shortcutOfStroke(stroke('s', 'KeyS', 'meta'), false)).toBeUndefined();
    expect(shortcutOfStroke(stroke('s', 'KeyS', 'meta'), true)).toBe('mod+S');
  });

  test('a Latin letter is the one that is written on the key, not the one at its place', () => {
    const azerty = stroke('a', 'KeyQ', 'ctrl');
    expect(shortcutOfStroke(azerty, false)).toBe('mod+A');
    expect(matchesShortcut('mod+Q', azerty, false)).toBe(false);
  });

  test('typing, copying and closing keep their keys; everything usual may be had', () => {
    for (const taken of ['A', 'shift+A', 'mod+C', 'mod+W', 'alt+F4', 'Tab', 'Enter', 'mod+shift+Z'])
      expect(refusalOf(taken, taken), taken).toBeDefined();
    for (const { shortcut, also } of COMMANDS)
      for (const keys of [shortcut, also])
        if (keys !== undefined) expect(refusalOf(keys, keys), keys).toBeUndefined();
  });
});

describe('changed shortcuts', () => {
  test('take keys from whoever has them at the same place, and say from whom', () => {
    expect(holdersOf('mod+B', 'draft.save', {}).map(({ id }) => id)).toEqual(['view.sidebar']);
    // A draft and an artifact are never in front at once.
    expect(holdersOf('F5', 'artifact.export', {}).map(({ id }) => id)).toEqual(['run.start']);
    expect(holdersOf('F5', 'view.panel', {}).map(({ id }) => id)).toEqual([
      'draft.run',
      'run.start',
    ]);
    const changed = withShortcut('draft.save', 'mod+B', {});
    expect(changed).toEqual({ 'draft.save': 'mod+B', 'view.sidebar': null });
    expect(keysOf('draft.save', changed)).toEqual(['mod+B']);
    expect(keysOf('view.sidebar', changed)).toEqual([]);
  });

  test('go back one by one: what had the usual keys meanwhile loses them', () => {
    const changed = withShortcut('draft.save', 'mod+B', {});
    expect(withUsual('view.sidebar', changed)).toEqual({ 'draft.save': null });
    expect(withUsual('draft.save', changed)).toEqual({ 'view.sidebar': null });
    expect(keysOf('draft.run', withShortcut('draft.run', null, {}))).toEqual([]);
    expect(keysOf('draft.run')).toEqual(['F5', 'mod+Enter']);
  });

  test('keep nothing that is usual', () => {
    const away = withShortcut('draft.save', 'mod+L', {});
    expect(withShortcut('draft.save', 'mod+S', away)).toEqual({});
    expect(withShortcut('go.spend', null, {})).toEqual({});
  });
});
