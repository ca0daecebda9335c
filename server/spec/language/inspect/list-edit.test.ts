import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../edit/text-edit.ts';
import { openDocument } from '../open-document.ts';
import type { FormEdit } from './form.ts';
import { formEdit } from './form-edit.ts';

const TEXT = `version: v1
agent:
  name: desk
  tools: [search, file] # both
  skills:
    # first
    - style # house
    - law
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: writer}
    reply: {id: reply, kind: agent, ref: writer}
  edges:
    - {from: sort, to: reply, condition: {type: output_contains, value: a}} # a
    - {from: sort, to: reply} # else
components:
  agents:
    writer: {name: writer}
    spare: {name: spare}
  workflows:
    part:
      type: sequential
      steps:
        - {id: one, kind: agent, ref: writer} # one
        - {id: two, kind: agent, ref: writer, on_error: fallback, fallback_ref: one}
tools:
  search: {description: s, implementation: a.b}
  file: {description: f, implementation: a.c}
skills:
  style: {source: a.md}
  law: {source: b.md}
`;

function outcome(edit: FormEdit, text = TEXT) {
  const made = formEdit(openDocument(text), edit);
  if ('problem' in made) return made;
  return { text: applyEdits(text, made.edits), path: made.path };
}

const steps = ['components', 'workflows', 'part', 'steps'];
const edges = ['workflow', 'edges'];

describe('a list of the inspector', () => {
  test('gets, loses and moves texts, comments and all else as they were', () => {
    const tools = ['agent', 'tools'];
    expect(outcome({ op: 'insert', path: [...tools, 2], value: 'web' })).toMatchObject({
      text: TEXT.replace('[search, file]', '[search, file, web]'),
    });
    expect(outcome({ op: 'remove', path: [...tools, 0] })).toMatchObject({
      text: TEXT.replace('[search, file]', '[file]'),
    });
    expect(outcome({ op: 'move', path: [...tools, 1], to: 0 })).toMatchObject({
      text: TEXT.replace('[search, file]', '[file, search]'),
    });
    expect(outcome({ op: 'move', path: ['agent', 'skills', 1], to: 0 })).toMatchObject({
      text: TEXT.replace(
        '    # first\n    - style # house\n    - law\n',
        '    - law\n    # first\n    - style # house\n',
      ),
    });
  });

  test('that may stay away goes with its last item', () => {
    const one = TEXT.replace('[search, file]', '[search]');
    expect(outcome({ op: 'remove', path: ['agent', 'tools', 0] }, one)).toMatchObject({
      text: TEXT.replace('  tools: [search, file] # both\n', ''),
    });
  });

  test('of edges: moved, taken away, and added with both its ends', () => {
    expect(outcome({ op: 'remove', path: [...edges, 1] })).toMatchObject({
      text: TEXT.replace('    - {from: sort, to: reply} # else\n', ''),
    });
    expect(outcome({ op: 'add', path: edges })).toEqual({
      text: TEXT.replace('# else\n', '# else\n    - {from: sort, to: sort}\n'),
      path: [...edges, 2],
    });
  });

  test('of steps: as the drawing moves and deletes them; a new one has a free name', () => {
    expect(outcome({ op: 'move', path: [...steps, 1], to: 0 })).toMatchObject({
      text: expect.stringMatching(/steps:\n +- \{id: two.*\n +- \{id: one.* # one\n/),
    });
    // Its fallback goes with a step.
    expect(outcome({ op: 'remove', path: [...steps, 0] })).toMatchObject({
      text: expect.stringMatching(/steps:\n +- \{id: two, kind: agent, ref: writer\}\ntools/),
    });
    expect(outcome({ op: 'add', path: steps })).toEqual({
      text: TEXT.replace(
        'fallback_ref: one}\n',
        'fallback_ref: one}\n        - {id: step, kind: agent, ref: writer}\n',
      ),
      path: [...steps, 2],
    });
  });

  test('of steps is left alone while the text is no complete spec', () => {
    const broken = TEXT.replace('{name: spare}', '{nome: spare}');
    for (const edit of [
      { op: 'remove', path: [...steps, 0] },
      { op: 'move', path: [...steps, 1], to: 0 },
    ] as const) {
      expect(outcome(edit, broken)).toEqual({ problem: expect.stringContaining('Mend it first') });
    }
  });

  test('of named elements loses only what nothing names', () => {
    expect(outcome({ op: 'remove', path: ['components', 'agents', 'spare'] })).toMatchObject({
      text: TEXT.replace('    spare: {name: spare}\n', ''),
    });
    expect(outcome({ op: 'remove', path: ['components', 'agents', 'writer'] })).toEqual({
      problem: '"writer" is used in 4 places. Change that first.',
    });
    expect(outcome({ op: 'move', path: ['components', 'agents', 'spare'], to: 0 })).toEqual({
      problem: 'The order of these has no meaning.',
    });
    expect(outcome({ op: 'add', path: ['agent', 'tools'] })).toEqual({
      problem: 'Items of this list are added in the text.',
    });
  });

  test('behind an alias is changed in the text', () => {
    const shared = TEXT.replace('[search, file] # both', '&t [search, file]').replace(
      'spare: {name: spare}',
      'spare: {name: spare, tools: *t}',
    );
    expect(
      outcome({ op: 'remove', path: ['components', 'agents', 'spare', 'tools', 0] }, shared),
    ).toEqual({ problem: expect.stringContaining('behind an alias') });
  });
});
