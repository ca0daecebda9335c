import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../preload/commands.ts';
import { registerHandler, runCommand } from './commands.ts';
import { pathOfDeepLink, paths, placeOf, projectOf } from './paths.ts';
import { type KeyStroke, matchesShortcut, shortcutText } from './shortcut.ts';

const stroke = (key: string, held: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('paths', () => {
  it('keeps the slashes of a draft and encodes the rest', () => {
    expect(paths.draft('a/b', '.studio/drafts/x y.yaml', { line: 4 })).toBe(
      '/projects/a%2Fb/drafts/.studio/drafts/x%20y.yaml?line=4',
    );
    expect(projectOf(paths.draft('a/b', 'x.yaml'))).toBe('a/b');
  });

  it('maps deep links to addresses and refuses unknown ones', () => {
    expect(pathOfDeepLink('specwright://run/r%201')).toBe('/runs/r%201');
    expect(pathOfDeepLink('specwright://project/p/draft/.studio/drafts/a.yaml')).toBe(
      '/projects/p/drafts/.studio/drafts/a.yaml',
    );
    expect(pathOfDeepLink('specwright://project/p')).toBe('/projects/p');
    expect(pathOfDeepLink('specwright://nothing/x')).toBeUndefined();
    expect(pathOfDeepLink('specwright://run')).toBeUndefined();
  });

  it('knows the place of each address', () => {
    expect(['/', '/operate/audit', '/runs/x', '/tasks', '/settings'].map(placeOf)).toEqual([
      'author',
      'operate',
      'runs',
      'tasks',
      'settings',
    ]);
  });
});

describe('shortcuts', () => {
  it('needs exactly the modifiers named', () => {
    expect(matchesShortcut('mod+S', stroke('s', { ctrlKey: true }), false)).toBe(true);
    expect(matchesShortcut('mod+S', stroke('s', { ctrlKey: true, shiftKey: true }), false)).toBe(
      false,
    );
    expect(matchesShortcut('mod+S', stroke('s', { metaKey: true }), true)).toBe(true);
    expect(matchesShortcut('mod+S', stroke('s', { metaKey: true }), false)).toBe(false);
    expect(matchesShortcut('F5', stroke('F5'), false)).toBe(true);
  });

  it('is unique in the table and readable on both kinds of keyboard', () => {
    // Two commands may share one when they never work at the same place.
    const everywhere = COMMANDS.filter(({ when }) => when === undefined);
    for (const place of new Set(COMMANDS.flatMap(({ when }) => when ?? []))) {
      const there = [...everywhere, ...COMMANDS.filter(({ when }) => when === place)];
      const shortcuts = there.flatMap(({ shortcut, also }) => [shortcut ?? [], also ?? []].flat());
      expect(new Set(shortcuts).size).toBe(shortcuts.length);
    }
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length);
    expect(shortcutText('mod+shift+G', false)).toBe('Ctrl+Shift+G');
    expect(shortcutText('mod+shift+G', true)).toBe('⌘⇧G');
  });
});

describe('commands', () => {
  it('runs the latest handler and nothing after it left', () => {
    const seen: string[] = [];
    const stopFirst = registerHandler('draft.save', () => seen.push('first'));
    const stopSecond = registerHandler('draft.save', () => seen.push('second'));
    stopFirst();
    expect(runCommand('draft.save')).toBe(true);
    stopSecond();
    expect(runCommand('draft.save')).toBe(false);
    expect(seen).toEqual(['second']);
  });
});
