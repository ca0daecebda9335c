import { describe, expect, test } from 'vitest';
import { joinSkillFiles, parseSkillBundle, parseSkillFile } from './skills.ts';

const text = (front: string, body = 'Do it.\n') => `---\n${front}\n---\n${body}`;

describe('skill bundles', () => {
  test('front matter and instructions', () => {
    const { bundle } = parseSkillBundle(
      text('name: plain\ndescription: D\ntools: [a, 1]\nextra: {x: 1}', '\nUse it.\n\n'),
      'plain',
    );
    expect(bundle).toMatchObject({
      name: 'plain',
      description: 'D',
      instructions: 'Use it.',
      tools: ['a'],
      extra: { x: 1 },
    });
  });

  test.each([
    ['no front matter', 'text'],
    ['another name than the folder', text('name: other\ndescription: D')],
    ['upper case', text('name: Plain\ndescription: D')],
    ['too long a name', text(`name: ${'a'.repeat(65)}\ndescription: D`)],
    ['no description', text('name: plain')],
    ['too long a description', text(`name: plain\ndescription: ${'d'.repeat(1025)}`)],
    ['broken front matter', text('name: [')],
    ['empty front matter', '---\n---\nx'],
  ])('%s is refused with a reason', (_, given) => {
    const { bundle, problem } = parseSkillBundle(given, 'plain');
    expect(bundle).toBeNull();
    expect(problem).toMatch(/\w/);
  });

  test('a single file is all instructions', () => {
    expect(parseSkillFile('Whole text.\n').bundle?.instructions).toBe('Whole text.');
    expect(parseSkillFile(text('name: x\ndescription: D')).bundle?.instructions).toBe('Do it.');
    expect(joinSkillFiles(text('a: 1'), { name: 'x' }).instructions).toBe('Do it.');
  });
});
