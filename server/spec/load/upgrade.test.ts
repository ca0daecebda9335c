import { expect, test } from 'vitest';
import { loadSpec } from './load-spec.ts';
import { upgradeDocument } from './upgrade.ts';

test('a v1 document passes unchanged', () => {
  const document = { version: 'v1', root_agent: 1 };
  const { spec, changed, applied } = upgradeDocument(document);
  expect([spec === document, changed, applied]).toEqual([true, false, []]);
});

test('older names move to their places, a line for each', () => {
  const document = {
    root_agent: { name: 'a' },
    root_workflow: [{ id: 'x' }],
    component_agents: { one: { name: 'moved' } },
    component_workflows: { w: { steps: [] }, v: [1], g: { type: 'graph', steps: [] } },
    functions: {},
    humans: null,
    components: { agents: { one: { name: 'there' }, two: {} } },
  };
  const before = structuredClone(document);
  const { spec, source_version, target_version, applied } = upgradeDocument(document);
  expect([source_version, target_version]).toEqual([null, 'v1']);
  expect(spec).toEqual({
    version: 'v1',
    agent: { name: 'a' },
    workflow: { type: 'sequential', steps: [{ id: 'x' }] },
    components: {
      agents: { one: { name: 'moved' }, two: {} },
      workflows: {
        w: { type: 'sequential', steps: [] },
        v: { type: 'sequential', steps: [1] },
        g: { type: 'graph', steps: [] },
      },
    },
  });
  expect(applied).toHaveLength(10);
  expect(document).toEqual(before);
});

test('what is there already is not overwritten, and what is left over fails the schema', () => {
  const { spec } = upgradeDocument({
    version: 'v0',
    agent: { name: 'a' },
    root_agent: { name: 'b' },
    functions: 5,
  });
  expect(spec).toEqual({
    version: 'v1',
    agent: { name: 'a' },
    root_agent: { name: 'b' },
    functions: 5,
  });
  const base = {
    version: 'v0',
    agent: { name: 'a' },
    root_agent: { name: 'b' },
    humans: { h: {} },
    components: [],
  };
  expect(loadSpec({ base }).diagnostics.map(({ path }) => path)).toEqual([
    'components',
    'root_agent',
    'humans',
  ]);
});

test.each([['v2'], [1], [true], ['V1'], [{}]])('version %j is not known', (version) => {
  const { diagnostics, spec } = loadSpec({ base: { version, agent: { name: 'a' } } });
  expect(spec).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code: 'E_VERSION', severity: 'error', path: 'version' }]);
});

test('an environment is noted only where none stands', () => {
  const agent = { name: 'a' };
  const load = (metadata: never) =>
    loadSpec({ base: { version: 'v1', agent, metadata }, environment: 'dev' }).spec?.metadata;
  expect(load({ x: 1 } as never)).toEqual({ x: 1, environment: 'dev' });
  expect(load({ environment: 'prod' } as never)).toEqual({ environment: 'prod' });
  expect(load(null as never)).toEqual({ environment: 'dev' });
});

test('the skills overlay adds declared skills once and disables last', () => {
  const base = {
    version: 'v1',
    agent: { name: 'a', skills: ['one'] },
    skills: { one: { source: 's' }, two: { source: 't' }, three: { source: 'u' } },
  };
  const { spec } = loadSpec({ base, skills: { add: ['two', 'one', 'three'], disable: ['one'] } });
  expect(spec?.agent.skills).toEqual(['two', 'three']);
  const refused = loadSpec({ base, skills: { add: ['nope', 'two', 'no'], disable: [] } });
  expect(refused.refusal).toEqual({
    code: 'invalid_request',
    message: "skills overlay 'add' references undeclared skill(s): nope, no",
  });
});
