import { expect, test } from 'vitest';
import { cornerBeside } from './free-corner.ts';

const room = { width: 1024, height: 700 };
const button = (left: number, top: number) => ({ left, top, right: left + 100, bottom: top + 30 });

test('what is told stands where it covers no main button', () => {
  expect(cornerBeside([], room, 1)).toBe('bottom-right');
  const below = button(900, 600);
  expect(cornerBeside([below], room, 1)).toBe('top-right');
  const above = button(900, 60);
  expect(cornerBeside([below, above], room, 1)).toBe('bottom-left');
  expect(cornerBeside([below, above, button(100, 600)], room, 1)).toBe('top-left');
  // In the middle of the page there is room for one line above it, and not for three.
  expect(cornerBeside([button(900, 480)], room, 1)).toBe('bottom-right');
  expect(cornerBeside([button(900, 480)], room, 3)).toBe('top-right');
});

test('where no corner is free, it is the usual one', () => {
  const all = [button(900, 600), button(900, 60), button(60, 600), button(60, 60)];
  expect(cornerBeside(all, room, 1)).toBe('bottom-right');
});
