import { describe, expect, test } from 'vitest';
import { completionsAt } from './completion.ts';
import { hoverAt } from './hover.ts';
import { openDocument } from './open-document.ts';
import { registryFindings } from './registry.ts';

const REGISTRY = { alias: 'default', names: ['shout', 'texts-tidy'] };

const text = (implementation: string): string => `version: v1
agent: {name: desk}
workflow:
  type: sequential
  steps:
    - {id: tidy, kind: function, ref: tidy}
components:
  functions:
    tidy:
      implementation: ${implementation}
`;

function offered(written: string, format: 'yaml' | 'json' = 'yaml') {
  const offset = written.indexOf('|');
  const document = openDocument(written.replace('|', ''), format);
  return completionsAt(document, offset, REGISTRY).map(({ label, insert, range }) => ({
    label,
    text:
      written.replace('|', '').slice(0, range.start.offset) +
      insert +
      written.replace('|', '').slice(range.end.offset),
  }));
}

const codes = (written: string): string[] =>
  openDocument(written)
    .findings()
    .map(({ code }) => code);

describe('AS-070 a registry reference in the editor', () => {
  test('is no fault where the platform fills it in', () => {
    expect(codes(text('{$registry: shout}'))).toEqual([]);
    expect(codes(text('\n        $registry: shout'))).toEqual([]);
  });

  test('is none in the program, the arguments and the variables of an MCP server', () => {
    const server = `version: v1
agent: {name: desk}
mcp_servers:
  files:
    transport: stdio
    command: {$registry: shout}
    args: {$registry: texts-tidy}
    env: {HOME: {$registry: shout}}
  more:
    transport: stdio
    command: run
    args: [--in, {$registry: texts-tidy}]
`;
    expect(codes(server)).toEqual([]);
  });

  test('stays a fault where nothing fills it in', () => {
    expect(codes('version: v1\nagent:\n  name: {$registry: shout}\n')).toEqual(['E_SCHEMA']);
    expect(codes(text('{$registry: shout, more: 1}'))).toEqual(['E_SCHEMA']);
  });

  test('to an entry that the registry does not have is told, with the one that was meant', () => {
    const document = openDocument(text('{$registry: shoud}'));
    const [finding, ...more] = registryFindings(document, REGISTRY);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      code: 'W_REGISTRY_ENTRY',
      severity: 'warning',
      suggestion: 'Did you mean "shout"?',
    });
    const { start, end } = finding?.range ?? { start: { offset: 0 }, end: { offset: 0 } };
    expect(document.text.slice(start.offset, end.offset)).toBe('shoud');
    expect(registryFindings(openDocument(text('{$registry: shout}')), REGISTRY)).toEqual([]);
  });

  test('is offered whole, inside braces, on the next line and as a name', () => {
    const whole = offered(text('|')).filter(({ label }) => label === '$registry: shout');
    expect(whole.map((one) => one.text)).toEqual([text('{$registry: shout}')]);
    const inside = offered(text('{$|}')).map((one) => one.text);
    expect(inside).toContain(text('{$registry: shout}'));
    const below = offered(text('\n        $re|')).map((one) => one.text);
    expect(below).toContain(text('\n        $registry: shout'));
    const named = offered(text('{$registry: te|}')).map((one) => one.text);
    expect(named).toContain(text('{$registry: texts-tidy}'));
  });

  test('is offered in JSON, and in no place of data', () => {
    const json = '{"components": {"functions": {"a": {"implementation": |}}}}';
    expect(offered(json, 'json').map((one) => one.text)).toContain(
      json.replace('|', '{"$registry": "shout"}'),
    );
    expect(offered('version: v1\nagent:\n  name: |\n')).toEqual([]);
  });

  test('tells on hover whether the registry has it', () => {
    const written = text('{$registry: shout}');
    const at = written.indexOf('shout');
    const told = (names: readonly string[]) =>
      hoverAt(openDocument(written), at, { alias: 'default', names })?.markdown;
    expect(told(['shout'])).toContain('The registry of "default" has it.');
    expect(told([])).toContain('has no such entry');
    expect(hoverAt(openDocument(written), at)?.markdown).toContain('**shout**');
  });
});
