import { expect, test } from 'vitest';
import { openDocument } from '../../../../server/spec/language/open-document.ts';
import { layerWithOrigins } from '../../../../server/spec/load/overlay.ts';
import { emitYaml } from '../../../../server/spec/yaml/emit-yaml.ts';
import { addOverride, layerAt, layersOfText } from './layer-lines.ts';

const BASE = {
  version: 'v1',
  agent: { name: 'desk', system_prompt: 'One.\nTwo.\n', tools: ['a', 'b'] },
  components: { agents: { 'a.b': { name: 'x' }, c: { name: 'cat', model: { name: 'm' } } } },
};

function composed(overlays: Parameters<typeof layerWithOrigins>[1], overrides = {}) {
  const { document, origins } = layerWithOrigins(BASE, overlays, overrides);
  const views = [...origins].map(([path, origin]) => ({
    path,
    origin: origin.layer,
    overlay: origin.layer === 'overlay' ? origin.index : null,
  }));
  const text = emitYaml(document);
  const layers = layersOfText(openDocument(text), views);
  const told = text
    .trimEnd()
    .split('\n')
    .map((line, at) => [layers.lines[at] ?? '-', line.trim()].join(' | '));
  return { views, layers, told };
}

test('every line has the layer that it comes from; a line over several has none', () => {
  const { told } = composed(
    [
      { agent: { system_prompt: 'Three.\nFour.\n' } },
      { agent: { tools: ['c'] }, components: { agents: { 'a.b': { name: 'z' } } } },
    ],
    { metadata: { note: 'new', none: {} } },
  );
  expect(told).toEqual([
    'base | version: v1',
    '- | agent:',
    'base | name: desk',
    'overlay 0 | system_prompt: |',
    'overlay 0 | Three.',
    'overlay 0 | Four.',
    'overlay 1 | tools:',
    'overlay 1 | - c',
    '- | components:',
    '- | agents:',
    'overlay 1 | a.b:',
    'overlay 1 | name: z',
    'base | c:',
    'base | name: cat',
    'base | model:',
    'base | name: m',
    'overrides | metadata:',
    'overrides | note: new',
    'overrides | none: {}',
  ]);
});

test('values are told with the whole way to them, also through names with dots', () => {
  const { layers } = composed([]);
  expect(layers.leaves.find(({ label }) => label === 'components.agents.a.b.name')).toEqual({
    path: ['components', 'agents', 'a.b', 'name'],
    label: 'components.agents.a.b.name',
    layer: 'base',
  });
  expect(layers.leaves.map(({ label }) => label)).toContain('agent.tools');
});

test('a finding inside of a list belongs to the layer of the list', () => {
  const { views } = composed([{ agent: { tools: ['c'] } }]);
  expect(layerAt(views, 'agent.tools[0]')).toBe('overlay 0');
  expect(layerAt(views, 'agent.toolset')).toBeNull();
  expect(layerAt(views, 'agent.name')).toBe('base');
});

test('an empty composition has no lines of any layer', () => {
  expect(layersOfText(openDocument('{}\n'), [])).toEqual({ lines: [null, null], leaves: [] });
});

test('a value of the composed text becomes an override; what stands there stays', () => {
  const document = openDocument(emitYaml(BASE));
  const name = ['components', 'agents', 'a.b', 'name'];
  const first = addOverride(document, '# Mine\n', name);
  expect(first).toBe('# Mine\ncomponents:\n  agents:\n    a.b:\n      name: x\n');
  expect(addOverride(document, `${first}`, ['agent', 'tools'])).toBe(
    `${first}agent:\n  tools:\n  - a\n  - b\n`,
  );
  expect(addOverride(document, 'agent: text\n', ['agent', 'tools'])).toBeNull();
  expect(addOverride(document, 'agent: [', ['agent', 'tools'])).toBeNull();
});
