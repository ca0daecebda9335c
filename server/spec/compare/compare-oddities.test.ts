import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../load/load-spec.ts';
import { mergeSpecs } from '../merge/merge-specs.ts';
import { emitYaml } from '../yaml/emit-yaml.ts';
import { compareSpecs } from './compare-specs.ts';

function told(before: JsonObject, after: JsonObject): string[] {
  const [earlier, later] = [before, after].map((document) => {
    const { spec, diagnostics } = loadSpec({
      base: { version: 'v1', agent: { name: 'desk' }, ...document },
    });
    if (spec === undefined) throw new TypeError(JSON.stringify(diagnostics));
    return spec;
  });
  if (earlier === undefined || later === undefined) throw new TypeError('two are compared');
  return compareSpecs(earlier, later).changes.map(({ text }) => text);
}

const guarded = (...input: JsonObject[]): JsonObject => ({
  agent: { name: 'desk', guardrails: { input } },
});
const guard = (id: string, word: string): JsonObject => ({
  id,
  type: 'keyword',
  action: 'block',
  config: { keywords: [word] },
});

describe('guardrails', () => {
  const [first, second] = [guard('polite', 'damn'), guard('calm', 'now')];

  test('that change places are told as moved, and as changed when they are that too', () => {
    expect(told(guarded(first, second), guarded(second, first))).toEqual([
      'input guardrail "polite" of the root agent was moved',
    ]);
    const louder = guard('calm', 'NOW');
    const both = told(guarded(first, second), guarded(louder, first));
    expect(both).toHaveLength(2);
    expect(both).toContain('input guardrail "polite" of the root agent was moved');
  });

  test('without an id are told one from another by their order', () => {
    const { id: _, ...nameless } = first;
    expect(told(guarded(nameless), guarded(nameless, nameless))).toEqual([
      'input guardrail " (2)" of the root agent was added',
    ]);
  });
});

describe('settings of the author', () => {
  test('are told by what came, went and changed', () => {
    const before = { metadata: { team: { lead: 'a', desk: 1 }, old: { x: 1 } } };
    const after = { metadata: { team: { lead: 'b', desk: 1 }, now: { y: 2 } } };
    const changes = told(before, after);
    expect(changes).toHaveLength(3);
    expect(changes).toContainEqual(expect.stringContaining('metadata.team.lead is "b", was "a"'));
    expect(changes).toContainEqual(expect.stringContaining('metadata.now'));
    expect(changes).toContainEqual(expect.stringContaining('metadata.old'));
  });

  test('beside the fields of an open block are told too', () => {
    const remembers = (more: JsonObject): JsonObject => ({
      agent: { name: 'desk', memory: { policy: 'summary', ...more } },
    });
    expect(told(remembers({}), remembers({ house_rule: 'short' }))).toEqual([
      'the root agent: house_rule is "short", was nothing',
    ]);
  });
});

describe('renames', () => {
  test('of an agent are followed to where a guardrail or the memory names it', () => {
    const named = (judge: string): JsonObject => ({
      agent: {
        name: 'desk',
        memory: { policy: 'summary', summarizer: { ref: judge } },
        guardrails: { output: [{ id: 'fair', type: 'agent', action: 'block', ref: judge }] },
      },
      components: { agents: { [judge]: { name: judge, system_prompt: 'Judge.' } } },
    });
    const [only, ...rest] = told(named('judge'), named('referee'));
    expect(only).toContain('"judge"');
    expect(only).toContain('"referee"');
    expect(rest).toEqual([]);
  });

  test('of a tool are followed in a merge of texts that have no components', () => {
    const text = (tool: string, description: string, name = 'desk'): string =>
      emitYaml({
        version: 'v1',
        agent: { name, tools: { include: [tool] } },
        tools: { [tool]: { description, implementation: 'web.search' } },
      });
    const { text: merged, conflicts } = mergeSpecs({
      base: text('search', 'Find.'),
      ours: text('look', 'Find.'),
      theirs: text('search', 'Find it.', 'front'),
    });
    expect(conflicts).toEqual([]);
    expect(merged).toBe(text('look', 'Find it.', 'front'));
  });
});
