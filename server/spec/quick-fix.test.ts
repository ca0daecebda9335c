import { expect, test } from 'vitest';
import { openDocument } from './open-document.ts';
import { quickFixes } from './quick-fix.ts';
import { applyEdits } from './text-edit.ts';
import { validateText } from './validate.ts';

const TEXT = `version: v1
agent:
  name: 7 # number
  systm_prompt: Typo.
  zzz: 1
workflow:
  type: graph
  start: on
  nodes:
    one: {id: uno, kind: agnet, ref: writr}
  edges: []
components:
  agents:
    writer: {name: writer}
`;

test('applying every quick fix in turn leaves no finding that has one', () => {
  let text = TEXT;
  const titles: string[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const { diagnostics } = validateText(text, 'yaml');
    const fix = diagnostics.flatMap((one) => quickFixes(openDocument(text), one))[0];
    if (fix === undefined) break;
    titles.push(fix.title);
    text = applyEdits(text, fix.edits);
  }
  expect(titles).toEqual([
    'Put it in quotes',
    'Change to "system_prompt"',
    'Remove "zzz"',
    'Put it in quotes',
    'Change to "agent"',
    'Set the id to "one"',
    'Change to "writer"',
    'Change to "one"',
  ]);
  expect(text).toBe(
    TEXT.replace('name: 7', 'name: "7"')
      .replace('systm_prompt', 'system_prompt')
      .replace('  zzz: 1\n', '')
      .replace('start: on', 'start: "one"')
      .replace('agnet', 'agent')
      .replace('id: uno', 'id: one')
      .replace('ref: writr', 'ref: writer'),
  );
});
