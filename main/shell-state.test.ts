import { expect, test } from 'vitest';
import { isOnScreen, parseShellState } from './shell-state.ts';

test('a damaged or foreign file counts as no saved state', () => {
  const empty = { bounds: undefined, maximized: false, theme: 'system' };
  for (const text of ['', '{', 'null', '[]', '{"bounds":{"x":"0"},"theme":"pink"}']) {
    expect(parseShellState(text)).toEqual(empty);
  }
});

test('a saved state comes back', () => {
  const state = {
    bounds: { x: 1, y: 2, width: 1280, height: 800 },
    maximized: true,
    theme: 'dark' as const,
  };
  expect(parseShellState(JSON.stringify(state))).toEqual(state);
});

test('a window whose screen is gone is not put back there', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 };
  const at = (x: number, y: number) => ({ x, y, width: 800, height: 600 });
  expect(isOnScreen(at(100, 100), [screen])).toBe(true);
  expect(isOnScreen(at(1850, 100), [screen])).toBe(false);
  expect(isOnScreen(at(3000, 100), [screen])).toBe(false);
});
