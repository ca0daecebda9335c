import { describe, expect, test } from 'vitest';
import { formatOfFile } from '../yaml/parse-yaml.ts';
import { completionsAt } from './completion.ts';
import { openDocument } from './open-document.ts';

const KINDS = ['sequential', 'graph', 'concurrent', 'handoff', 'group-chat'];
const AGENTS = 'components:\n  agents:\n    agent: {name: a}\n';

/** The text with a chosen completion, each stop with its own text. */
function written(text: string, label: string, file = 'a.yaml'): string {
  const offset = text.indexOf('|');
  const plain = text.replace('|', '');
  const found = completionsAt(openDocument(plain, formatOfFile(file)), offset).find(
    (one) => one.label === label,
  );
  if (found === undefined) throw new Error(`${label} is not offered`);
  const line = plain.slice(plain.lastIndexOf('\n', offset - 1) + 1, offset);
  const insert = found.insert
    .replace(/\$\{\d+:([^}]*)\}/g, '$1')
    .replaceAll('\n', `\n${' '.repeat(line.search(/[^ ]|$/))}`);
  return plain.slice(0, found.range.start.offset) + insert + plain.slice(found.range.end.offset);
}

function findings(text: string, file = 'a.yaml'): string[] {
  return openDocument(text, formatOfFile(file))
    .findings()
    .map(({ message }) => message);
}

describe.each(KINDS)('a %s workflow', (kind) => {
  test.each([
    ['under its key', `version: v1\nagent: {name: desk}\n|\n${AGENTS}`, `workflow: ${kind}`],
    ['inside of it', `version: v1\nagent: {name: desk}\nworkflow:\n  |\n${AGENTS}`, `new ${kind}`],
    [
      'in braces',
      `{version: v1, agent: {name: desk}, components: {agents: {agent: {name: a}}}, |}`,
      `workflow: ${kind}`,
    ],
    [
      'among the components',
      `version: v1\nagent: {name: desk}\n${AGENTS}  workflows:\n    part:\n      |\n`,
      `new ${kind}`,
    ],
  ])('is written at once %s, and nothing is wrong with it', (_, text, label) => {
    const made = written(text, label);
    expect(findings(made), made).toEqual([]);
    const { spec } = openDocument(made).validation();
    const workflow = spec?.workflow ?? spec?.components.workflows['part'];
    expect(workflow?.type).toBe(kind);
  });

  test('is written as JSON', () => {
    const text =
      '{"version": "v1", "agent": {"name": "desk"}, "components": {"agents": {"agent": {"name": "a"}}}, |}';
    const made = written(text, `workflow: ${kind}`, 'a.json');
    expect(findings(made, 'a.json'), made).toEqual([]);
  });
});

test('a workflow that has fields, or is there, gets no second one', () => {
  const labels = (text: string) =>
    completionsAt(openDocument(text.replace('|', '')), text.indexOf('|')).map(({ label }) => label);
  expect(labels('version: v1\nworkflow:\n  type: graph\n  |\n').join()).not.toContain('new graph');
  expect(labels('version: v1\nworkflow: {type: graph}\n|\n').join()).not.toContain('workflow:');
});
