import { describe, expect, test } from 'vitest';
import type { GraphOperation } from '../edit/graph/operation.ts';
import { made, step } from './testing/drawn-texts.ts';

/** An imported flow of four steps; the last one says where its inputs come from. */
const FLOW = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: hook
  nodes:
    hook: {id: hook, kind: function, ref: hook}
    check: {id: check, kind: function, ref: check}
    join: {id: join, kind: function, ref: join}
    log: {id: log, kind: function, ref: hook}
  edges:
  - {from: hook, to: check}
  - {from: check, to: join}
components:
  functions:
    hook: {implementation: n8n.webhook}
    check: {implementation: n8n.if}
    join: {implementation: n8n.merge}
metadata:
  flow:
    source: n8n
    order: v1
    steps:
      hook: {name: Webhook, type: n8n-nodes-base.webhook, version: 2}
      check: {name: Paid?, type: n8n-nodes-base.if, version: 2.2, parameters: {}}
      join:
        name: Join
        type: n8n-nodes-base.merge
        version: 3
        parameters: {mode: append}
        inputs:
        - - step: check
            output: 0
`;

const FED =
  '"join" says in metadata.flow which outputs feed its inputs. Change it there, in the text.';

describe('an imported item flow refuses what its settings would not follow', () => {
  const cases: readonly (readonly [string, GraphOperation, string])[] = [
    ['an edge that feeds an input', { op: 'delete_line', line: { workflow: null, edge: 1 } }, FED],
    [
      'another target of such an edge',
      { op: 'retarget', line: { workflow: null, edge: 1 }, end: 'to', to: step('log') },
      FED,
    ],
    [
      'another source of such an edge',
      { op: 'retarget', line: { workflow: null, edge: 1 }, end: 'from', to: step('log') },
      FED,
    ],
    [
      'a step that the settings of another one name',
      { op: 'delete_step', at: step('check') },
      'The settings of "join" in metadata.flow name this step. Change them first.',
    ],
    [
      'another name of a step',
      { op: 'rename_step', at: step('log'), name: 'last' },
      'Settings and expressions of an imported item flow call this step by its key. Rename it in the text, with all that names it.',
    ],
    [
      'steps in a nested workflow',
      { op: 'wrap', steps: [step('check'), step('join')], name: 'x', loop: null },
      'Steps of an imported item flow hand items on; a workflow inside could not.',
    ],
  ];
  test.each(cases)('%s', (_name, operation, problem) => {
    expect(made(FLOW, operation)).toEqual({ problem });
  });
});

describe('an imported item flow lets go of what nothing names', () => {
  test('a step with its settings', () => {
    expect(made(FLOW, { op: 'delete_step', at: step('join') })).toEqual({
      text: FLOW.replace('    join: {id: join, kind: function, ref: join}\n', '')
        .replace('  - {from: check, to: join}\n', '')
        .replace(/ {6}join:[\s\S]*$/, ''),
      notes: [
        '1 edge went with it.',
        'Its settings in metadata.flow went with it.',
        'No step uses components.functions.join now; it stays declared.',
      ],
      select: step('log'),
    });
  });

  test('a step that has no settings', () => {
    const outcome = made(FLOW, { op: 'delete_step', at: step('log') });
    expect(outcome).toMatchObject({
      text: FLOW.replace('    log: {id: log, kind: function, ref: hook}\n', ''),
      select: step('join'),
    });
  });

  test('an edge to a step that takes what comes', () => {
    expect(made(FLOW, { op: 'delete_line', line: { workflow: null, edge: 0 } })).toMatchObject({
      text: FLOW.replace('  - {from: hook, to: check}\n', ''),
    });
  });

  test.each([
    ['no mapping', 'flow: imported'],
    ['nothing', 'flow: null'],
  ])('settings that are %s hold nothing back', (_name, flow) => {
    const text = FLOW.replace(/ {2}flow:[\s\S]*$/, `  ${flow}\n`);
    expect(made(text, { op: 'delete_line', line: { workflow: null, edge: 1 } })).toMatchObject({
      text: text.replace(
        '  edges:\n  - {from: hook, to: check}\n  - {from: check, to: join}\n',
        '  edges:\n  - {from: hook, to: check}\n',
      ),
    });
    expect(made(text, { op: 'rename_step', at: step('log'), name: 'last' })).toMatchObject({
      text: text.replace('log: {id: log', 'last: {id: last'),
      select: step('last'),
    });
  });

  test('settings of steps that are no mapping name no step', () => {
    const text = FLOW.replace(/ {4}steps:\n {6}hook[\s\S]*$/, '    steps: []\n');
    expect(made(text, { op: 'delete_line', line: { workflow: null, edge: 1 } })).toMatchObject({
      text: text.replace('  - {from: check, to: join}\n', ''),
    });
    expect(made(text, { op: 'delete_step', at: step('log') })).toMatchObject({
      text: text.replace('    log: {id: log, kind: function, ref: hook}\n', ''),
    });
  });
});
