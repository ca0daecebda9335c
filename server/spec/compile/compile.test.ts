import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { graphView } from '../graph/graph-view.ts';
import { topologyOf } from '../graph/topology.ts';
import { loadSpec } from '../load/load-spec.ts';
import { specOf } from '../load/testing/spec-of.ts';
import { environmentPolicyFindings } from '../reports/environment-policy.ts';
import { policyReport } from '../reports/policy-report.ts';
import type { Spec } from '../schema/spec-types.ts';
import { formatOfFile, parseSpecText } from '../yaml/parse-yaml.ts';
import { compileSpec, explainSpec } from './compile.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
const expected = JSON.parse(readFileSync(join(SPECS, 'expected.json'), 'utf8'));

function load(file: string): Spec {
  const parsed = parseSpecText(readFileSync(join(SPECS, file), 'utf8'), formatOfFile(file));
  const loaded = loadSpec({ base: parsed.value! });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.spec;
}

const cases = [
  ...new Map(expected.cases.map((one: { file: string }) => [one.file, one])).values(),
] as {
  file: string;
  graph: { nodes: { id: string }[]; edges: object[] };
}[];

describe('samples', () => {
  test.each(cases)('$file compiles and shows the recorded graph', ({ file, graph }) => {
    const read = load(file);
    expect(compileSpec(read)).toMatchObject({ ok: true, refusal: null });
    const view = graphView(read);
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    const bare = view.nodes.map(({ step_kind: _, ...node }) => node);
    if (view.workflow_kind === 'graph') bare.sort(byId);
    expect({ ...view, nodes: bare }).toEqual(graph);
  });

  test('every drawing has unique nodes and known ends', () => {
    for (const file of readdirSync(SPECS).filter((name) => /\.(yaml|json)$/.test(name))) {
      if (file === 'expected.json') continue;
      const read = load(file);
      const { nodes, edges } = topologyOf(read);
      const ids = new Set(nodes.map(({ id }) => id));
      expect(ids.size, file).toBe(nodes.length);
      for (const { source, target } of edges) expect(ids.has(source) && ids.has(target)).toBe(true);
    }
  });
});

describe('the invalid samples', () => {
  const files = readdirSync(join(SPECS, 'invalid'));
  test.each(files)('%s is refused by a strict compile, and reported by another', (file) => {
    const text = readFileSync(join(SPECS, 'invalid', file), 'utf8');
    const loaded = loadSpec({ base: parseSpecText(text, 'yaml').value ?? {} });
    const wanted: string[] = (expected.invalid[file].diagnostics ?? []).map(
      ({ code }: { code: string }) => code,
    );
    if (loaded.spec === undefined) {
      const refused = wanted.length === 0 ? ['E_VERSION'] : wanted;
      expect([...new Set(loaded.diagnostics.map(({ code }) => code))]).toEqual(refused);
      return;
    }
    const strict = compileSpec(loaded.spec);
    expect(strict.diagnostics.map(({ code }) => code)).toEqual(wanted);
    expect(strict).toMatchObject({ ok: false, refusal: { code: 'spec_invalid' } });
    const lax = compileSpec(loaded.spec, { strict: false });
    expect(lax).toMatchObject({ ok: false, refusal: null, diagnostics: strict.diagnostics });
    expect(lax.order === null).toBe(wanted.includes('E_BUILD_CYCLE'));
    graphView(loaded.spec);
    expect(topologyOf(loaded.spec).nodes.length).toBeGreaterThan(0);
    expect(policyReport(loaded.spec)).toMatchObject({ valid: true });
  });
});

test('explain names the workflow that runs, by its kind when it has no name', () => {
  expect(explainSpec(load('legacy-v0.yaml'))).toEqual({
    root_agent: 'legacy-root',
    root_workflow: 'sequential-workflow',
    component_agents: ['helper'],
  });
});

test('what validates but cannot be built is refused as invalid_request', () => {
  const step = { id: 'a', kind: 'agent', ref: 'x', enabled: false };
  const components = { agents: { x: { name: 'x' } } };
  const empty = specOf({ workflow: { type: 'sequential', steps: [step] }, components });
  expect(compileSpec(empty).refusal?.code).toBe('invalid_request');
  expect(compileSpec(specOf({ agent: { name: '' } })).refusal?.code).toBe('invalid_request');
  const memory = specOf({ agent: { name: 'a', memory: { policy: 'elephant' } } });
  expect(compileSpec(memory).refusal?.code).toBe('invalid_request');
});

test('strict decides whether semantic errors refuse', () => {
  const bad = specOf({ agent: { name: 'a', skills: ['ghost'] } });
  expect(compileSpec(bad).refusal?.code).toBe('spec_invalid');
  const lax = compileSpec(bad, { strict: false });
  expect(lax).toMatchObject({ ok: false, refusal: null });
  expect(lax.summary.has_root_agent).toBe(true);
});

test('parts are ordered after what they need', () => {
  const order = compileSpec(load('nested-onboarding.yaml')).order ?? [];
  const names = order.map(({ kind, name }) => `${kind} ${name}`);
  expect(names.indexOf('agent it-specialist')).toBeLessThan(names.indexOf('tool ask_it'));
  expect(names.indexOf('workflow buddy-pair')).toBeLessThan(names.indexOf('agent buddy-team'));
});

test('the policy report counts, and an environment policy blocks in order', () => {
  const loose = load('loose-tools.yaml');
  const report = policyReport(loose);
  expect(report.summary.diagnostic_count).toBe(8);
  expect(report.human_review).toMatchObject({ required: true, missing: true, workflow_steps: [] });
  expect(report.human_review.requirements.map(({ code }) => code)).toEqual([
    'W_TOOL_NETWORK_UNRESTRICTED',
    'W_TOOL_SHELL_ALLOWED',
    'W_TOOL_FILESYSTEM_WRITE_ALLOWED',
    'W_TOOL_FILESYSTEM_READ_ALLOWED',
    'W_TOOL_POLICY_UNRESTRICTED',
  ]);
  const findings = environmentPolicyFindings(loose, {
    enabled: true,
    fail_on_warnings: false,
    blocked_diagnostic_codes: ['W_TOOL_SHELL_ALLOWED'],
    require_human_review: true,
    require_tool_permissions: true,
    deny_unrestricted_tools: true,
    require_guardrails: true,
  });
  expect(findings.map(({ code, path }) => [code, path])).toEqual([
    ['E_ENV_POLICY_DIAGNOSTIC', 'agent.tools.permissions.allow_shell'],
    ['E_ENV_POLICY_HUMAN_REVIEW', 'workflow'],
    ['E_ENV_POLICY_TOOL_PERMISSIONS', 'components.agents.helper.tools.permissions'],
    ['E_ENV_POLICY_UNRESTRICTED_TOOLS', 'agent.tools'],
    ['E_ENV_POLICY_UNRESTRICTED_TOOLS', 'components.agents.helper.tools'],
    ['E_ENV_POLICY_GUARDRAILS', 'agent.guardrails'],
  ]);
});

test('nested and concurrent workflows are drawn as groups with marks', () => {
  const { groups, nodes, edges } = topologyOf(load('nested-onboarding.yaml'));
  expect(groups.map(({ label, workflow_type }) => [label, workflow_type])).toEqual([
    ['account-setup', 'sequential'],
    ['buddy-pair', 'concurrent'],
  ]);
  expect(nodes.filter(({ kind }) => kind === 'start' || kind === 'end')).toHaveLength(2);
  expect(edges.filter(({ kind }) => kind === 'fan_out')).toHaveLength(2);
});

test.each<[string, object, string | null]>([
  [
    'an implementation without a module',
    { tools: { t: { description: 'd', implementation: 'run' } } },
    'tools.t',
  ],
  [
    'a function without a module',
    { components: { functions: { f: { implementation: 'run' } } } },
    'components.functions.f',
  ],
  [
    'an unknown guardrail type',
    { agent: { name: 'a', guardrails: { input: [{ id: 'g', type: 'magic' }] } } },
    'agent.guardrails.input[0]',
  ],
  [
    'a guardrail that names no function',
    { agent: { name: 'a', guardrails: { tool: [{ id: 'g', type: 'function' }] } } },
    'agent.guardrails.tool[0]',
  ],
  [
    'a guardrail that names no agent',
    { agent: { name: 'a', guardrails: { output: [{ id: 'g', type: 'agent', ref: 'x' }] } } },
    'agent.guardrails.output[0]',
  ],
  [
    'a keyword guardrail',
    {
      agent: {
        name: 'a',
        guardrails: { input: [{ id: 'g', type: 'keyword' }], odd: [{ type: 'magic' }] },
      },
    },
    null,
  ],
  [
    'a summary without a summarizer',
    { agent: { name: 'a', memory: { policy: 'summary' } } },
    'summarizer',
  ],
  [
    'a summary by an agent',
    {
      agent: { name: 'a', memory: { policy: 'summary', summarizer: { ref: 'x' } } },
      components: { agents: { x: { name: 'x' } } },
    },
    null,
  ],
  [
    'retrieval by an agent',
    {
      agent: { name: 'a', memory: { policy: 'retrieval', retriever: { ref: 'x' } } },
      components: { agents: { x: { name: 'x' } } },
    },
    'retriever',
  ],
  [
    'retrieval by a function',
    {
      agent: { name: 'a', memory: { policy: 'retrieval', retriever: { ref: 'f' } } },
      components: { functions: { f: { implementation: 'm.f' } } },
    },
    null,
  ],
  ['a window', { agent: { name: 'a', memory: { policy: 'sliding_window' } } }, null],
  [
    'a component agent without a name',
    { components: { agents: { x: { name: '' } } } },
    'components.agents.x',
  ],
  [
    'a component workflow without steps',
    { components: { workflows: { w: { type: 'concurrent', participants: [] } } } },
    'components.workflows.w',
  ],
])('spec-v1 4, 10, 11: the build of %s', (_, document, named) => {
  const { ok, refusal } = compileSpec(specOf(document));
  expect(ok).toBe(named === null);
  expect(refusal?.code ?? null).toBe(named === null ? null : 'invalid_request');
  if (named !== null) expect(refusal?.message).toContain(named);
});
test('drawings of every kind: turns, rounds, fallbacks and conditions in words', () => {
  const step = (id: string, more: object = {}) => ({ id, kind: 'agent', ref: 'x', ...more });
  const draw = (workflow: object, workflows: object = {}) =>
    topologyOf(specOf({ workflow, components: { agents: { x: { name: 'x' } }, workflows } }));
  const labels = (workflow: object): string[] =>
    draw(workflow).edges.map(({ kind, label }) => `${kind} ${label}`);
  const participants = [step('a'), step('b', { enabled: false }), step('c')];
  expect(
    labels({ type: 'handoff', participants, selector: { sequence: ['c', 'a', 'z', 'c'] } }),
  ).toEqual(['turn 1', 'turn 2']);
  expect(labels({ type: 'handoff', participants, selector: { type: 'round_robin' } })).toEqual([
    'turn 1',
  ]);
  expect(labels({ type: 'group_chat', participants, rounds: 3 })).toEqual([
    'turn null',
    'round 3 rounds',
  ]);
  expect(labels({ type: 'group-chat', participants: [], rounds: 3 })).toEqual([]);
  expect(labels({ type: 'concurrent', participants })).toHaveLength(4);
  expect(
    labels({
      type: 'sequential',
      steps: [step('a', { on_error: 'fallback', fallback_ref: 'c' }), step('c')],
    }),
  ).toEqual(['flow null', 'fallback on error']);
  const nodes = { a: step('a'), c: step('c') };
  const rule = (condition: object): string | null | undefined =>
    draw({ type: 'graph', start: 'a', nodes, edges: [{ from: 'a', to: 'c', condition }] }).edges[0]
      ?.condition;
  expect(
    rule({
      type: 'all_of',
      conditions: [
        { type: 'never' },
        {
          type: 'any_of',
          conditions: [{ type: 'status_is', value: 'failed' }, { type: 'always' }],
        },
      ],
    }),
  ).toBe('never and (status is "failed" or always)');
  expect(rule({ type: 'not', condition: { type: 'output_contains', value: 'x' } })).toBe(
    'not output contains "x"',
  );
  expect(rule({ type: 'any_of' })).toBe('');
  expect(
    draw({ type: 'sequential', steps: [{ id: 'w', kind: 'workflow', ref: 'gone' }] }).groups,
  ).toEqual([]);
});
