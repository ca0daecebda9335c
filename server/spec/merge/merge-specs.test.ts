import { describe, expect, test } from 'vitest';
import { emitYaml } from '../yaml/emit-yaml.ts';
import { parseSpecText } from '../yaml/parse-yaml.ts';
import { mergeSpecs, type SpecMerge } from './merge-specs.ts';

const BASE = `version: v1
agent: {name: desk, model: {provider: dummy, name: small}}   # the desk
workflow:
  type: sequential
  steps:
    - {id: read, kind: agent, ref: reader}
    # what people see
    - {id: write, kind: agent, ref: writer}
components:
  agents:
    reader: {name: reader}
    # writes
    writer:
      name: writer
      system_prompt: |
        One.
        Two.
        Three.
      model: {provider: dummy, name: small}
      tools: {include: [search]}
tools:
  search: {description: Find., implementation: web.search}
  fetch: {description: Fetch., implementation: web.fetch}
`;

const GRAPH = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: a
  nodes:
    a: {id: a, kind: agent, ref: a}
    b: {id: b, kind: agent, ref: b}
    c: {id: c, kind: agent, ref: c}
  edges:
    - {from: a, to: b, condition: {type: output_contains, value: x}}
    - {from: a, to: c}
    - {from: b, to: c}
components:
  agents: {a: {name: a}, b: {name: b}, c: {name: c}}
`;

type Swap = readonly [from: string, to: string];

function swapped(text: string, swaps: readonly Swap[]): string {
  return swaps.reduce((made, [from, to]) => {
    expect(made).toContain(from);
    return made.replace(from, to);
  }, text);
}

function merged(ours: readonly Swap[], theirs: readonly Swap[], base = BASE): SpecMerge {
  const merge = mergeSpecs({ base, ours: swapped(base, ours), theirs: swapped(base, theirs) });
  expect(merge.by).toBe('meaning');
  return merge;
}

function told(merge: SpecMerge): readonly string[] {
  return merge.conflicts.map(({ text }) => text);
}

describe('what goes together', () => {
  test('changes of neighbouring fields, on one line too', () => {
    const { text, conflicts } = merged(
      [['include: [search]', 'include: [search, fetch]']],
      [['include: [search]', 'include: [search], permissions: {allow_network: true}']],
    );
    expect(conflicts).toEqual([]);
    expect(text).toBe(
      BASE.replace('[search]', '[search, fetch], permissions: {allow_network: true}'),
    );
  });

  test('names that both put into one list', () => {
    const { text } = merged([['[search]', '[search, fetch]']], [['[search]', '[ask, search]']]);
    expect(text).toContain('include: [ask, search, fetch]');
  });

  test('the same thing added by both is there once', () => {
    const added = '  ask: {description: Ask., implementation: web.ask}\n';
    const { text, conflicts } = mergeSpecs({
      base: BASE,
      ours: `${BASE}${added}`,
      theirs: BASE.replace('tools:\n  search', `tools:\n${added}  search`),
    });
    expect(conflicts).toEqual([]);
    expect(text.match(/ask:/g)).toHaveLength(1);
  });

  test('lines of one prompt', () => {
    const { text, conflicts } = merged([['One.', 'Eins.']], [['Three.', 'Drei.']]);
    expect(conflicts).toEqual([]);
    expect(text).toBe(
      swapped(BASE, [
        ['One.', 'Eins.'],
        ['Three.', 'Drei.'],
      ]),
    );
  });

  test('a part renamed by one side and changed by the other, either way', () => {
    const renamed = BASE.replaceAll('writer', 'author');
    const other = BASE.replace('name: small}\n', 'name: big}\n');
    const both = renamed.replace('name: small}\n', 'name: big}\n');
    expect(mergeSpecs({ base: BASE, ours: renamed, theirs: other }).text).toBe(both);
    const { text } = mergeSpecs({ base: BASE, ours: other, theirs: renamed });
    expect(parseSpecText(text, 'yaml').value).toEqual(parseSpecText(both, 'yaml').value);
  });

  test('comments, order and line breaks of ours stay when theirs is laid out otherwise', () => {
    const theirs = parseSpecText(BASE, 'yaml').value ?? {};
    const ours = BASE.replace('Two.', 'Zwei.').replaceAll('\n', '\r\n');
    const { text, by } = mergeSpecs({
      base: BASE,
      ours,
      theirs: emitYaml(theirs).replace('Fetch.', 'Get.'),
    });
    expect(by).toBe('meaning');
    expect(text).toBe(ours.replace('Fetch.', 'Get.'));
  });

  test('what theirs wrote beside the language comes along', () => {
    const { text } = merged([['Fetch.', 'Get.']], [['# writes', '# writes well']]);
    expect(text).toBe(
      swapped(BASE, [
        ['Fetch.', 'Get.'],
        ['# writes', '# writes well'],
      ]),
    );
  });

  test('edges of one step keep their order, and one that both left is not moved', () => {
    const { text, conflicts } = merged(
      [['value: x', 'value: y']],
      [['    - {from: a, to: c}\n', '    - {from: a, to: c}\n    - {from: c, to: a}\n']],
      GRAPH,
    );
    expect(conflicts).toEqual([]);
    expect(text).toContain('value: y}}\n    - {from: a, to: c}\n    - {from: c, to: a}\n');
  });

  test('nothing at all as base: what each side has is added', () => {
    const { conflicts, text } = mergeSpecs({
      base: '',
      ours: BASE,
      theirs: BASE.replace('  fetch', '  get'),
    });
    expect(conflicts).toEqual([]);
    expect(parseSpecText(text, 'yaml').value).toHaveProperty('tools.get');
    expect(text).toContain('fetch: {');
  });
});

describe('what does not', () => {
  test('one field that both changed is one conflict, with both sides between marks', () => {
    const merge = merged(
      [['name: small}\n', 'name: big}\n']],
      [['name: small}\n', 'name: huge}\n']],
    );
    expect(told(merge)).toEqual([
      'agent "writer": model.name is "big" in yours and "huge" in theirs',
    ]);
    expect(merge.open).toBe(1);
    expect(merge.marked).toContain('<<<<<<< mine\n      model: {provider: dummy, name: big}\n');
    expect(merge.marked).toContain('=======\n      model: {provider: dummy, name: huge}\n');
  });

  test('a part that one removed and the other changed', () => {
    const fetch = '  fetch: {description: Fetch., implementation: web.fetch}\n';
    const mine = merged([[fetch, '']], [['Fetch.', 'Get.']]);
    expect(told(mine)).toEqual(['tool "fetch" was removed by you and changed by them']);
    expect(mine.marked).toContain('Get.');
    const theirs = merged([['Fetch.', 'Get.']], [[fetch, '']]);
    expect(told(theirs)).toEqual(['tool "fetch" was changed by you and removed by them']);
  });

  test('a part that both added, each otherwise', () => {
    const added = (what: string): Swap => [
      'tools:\n  s',
      `tools:\n  ask: {description: ${what}}\n  s`,
    ];
    expect(told(merged([added('A')], [added('B')]))).toEqual([
      'tool "ask" was added by both, each otherwise',
    ]);
  });

  test('two steps at one place of a sequence, and two edges of one step', () => {
    const step = (id: string): Swap => [
      'ref: writer}\n',
      `ref: writer}\n    - {id: ${id}, kind: agent, ref: reader}\n`,
    ];
    const steps = merged([step('check')], [step('sign')]);
    expect(told(steps)).toEqual(['the workflow: steps were put in order by both, each otherwise']);
    const edge = (to: string): Swap => ['to: c}\n', `to: c}\n    - {from: a, to: ${to}}\n`];
    const edges = merged([edge('d')], [edge('e')], GRAPH);
    expect(told(edges)).toEqual(['the workflow: edges were put in order by both, each otherwise']);
  });

  test('a condition is one thing', () => {
    const condition = merged([['value: x', 'value: y']], [['value: x', 'value: z']], GRAPH);
    expect(told(condition)).toEqual([
      'edge "a → b": condition is {"type":"output_contains","value":"y"} in yours and {"type":"output_contains","value":"z"} in theirs',
    ]);
  });

  test('a choice settles a conflict, and only that one', () => {
    const swap = (name: string, word: string): Swap[] => [
      ['name: small}\n', `name: ${name}}\n`],
      ['Two.', word],
    ];
    const sides = {
      base: BASE,
      ours: swapped(BASE, swap('big', 'Zwei.')),
      theirs: swapped(BASE, swap('huge', 'Deux.')),
    };
    const [prompt, name] = mergeSpecs(sides).conflicts.map(({ id }) => id);
    const choices = { [String(prompt)]: 'both', [String(name)]: 'theirs' } as const;
    const { text, open } = mergeSpecs(sides, { choices });
    expect(open).toBe(0);
    expect(text).toBe(
      BASE.replace('name: small}\n', 'name: huge}\n').replace('Two.', 'Zwei.\n        Deux.'),
    );
    expect(mergeSpecs(sides, { choices: { [String(name)]: 'theirs' } }).open).toBe(1);
  });

  test('what only the merged text has wrong is said', () => {
    const fetch = '  fetch: {description: Fetch., implementation: web.fetch}\n';
    const { faults, open } = merged([[fetch, '']], [['[search]', '[search, fetch]']]);
    expect(open).toBe(0);
    expect(faults.map(({ message }) => message).join()).toContain('fetch');
  });

  test('a text that cannot be read is merged by lines, and that is said', () => {
    const broken = BASE.replace('[search]', '[search');
    const { by, text, open } = mergeSpecs({
      base: BASE,
      ours: broken,
      theirs: BASE.replace('One.', 'Eins.'),
    });
    expect({ by, open }).toEqual({ by: 'lines', open: 0 });
    expect(text).toBe(broken.replace('One.', 'Eins.'));
  });
});

test('JSON stays JSON', () => {
  const json = (text: string) => JSON.stringify(parseSpecText(text, 'yaml').value, null, 2);
  const merge = mergeSpecs(
    {
      base: json(BASE),
      ours: json(swapped(BASE, [['Two.', 'Zwei.']])),
      theirs: json(swapped(BASE, [['[search]', '[search, fetch]']])),
    },
    { format: 'json' },
  );
  expect(merge.by).toBe('meaning');
  expect(JSON.parse(merge.text)).toEqual(
    parseSpecText(
      swapped(BASE, [
        ['Two.', 'Zwei.'],
        ['[search]', '[search, fetch]'],
      ]),
      'yaml',
    ).value,
  );
});
