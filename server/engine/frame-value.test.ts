import { expect, test } from 'vitest';
import { answerIn, jsonIn, resultIn, textIn, toolsIn } from './frame-value.ts';
import type { FrameValue } from './state.ts';

const TEXT: FrameValue = { kind: 'text', text: 'yes' };
const TOOLS: FrameValue = { kind: 'tools', given: [] };

test('a part of a run that gave another kind of value is told by its kind', () => {
  for (const read of [resultIn, answerIn, jsonIn, toolsIn]) {
    expect(() => read(TEXT)).toThrow('a part of the run gave a text to one that cannot use it');
  }
  expect(() => textIn(TOOLS)).toThrow('gave a tools to one');
  expect(textIn(TEXT)).toBe('yes');
  expect(toolsIn(TOOLS)).toEqual([]);
});
