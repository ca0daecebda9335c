import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentPolicyFindings } from '../environment-policy.ts';
import { graphView } from '../graph-view.ts';
import { loadSpec } from '../load-spec.ts';
import { formatOfFile, parseSpecText } from '../parse-yaml.ts';
import { policyReport } from '../policy-report.ts';
import { referencesOf } from '../references.ts';
import type { Spec } from '../spec-types.ts';
import { topologyOf } from '../topology.ts';
import { compileSpec, explainSpec } from './compile.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
const expected = JSON.parse(readFileSync(join(SPECS, 'expected.json'), 'utf8'));

function load(file: string): Spec {
  const parsed = parseSpecText(readFileSync(join(SPECS, file), 'utf8'), formatOfFile(file));
  const loaded = loadSpec({ base: parsed.value! });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.spec;
}

const spec = (document: object): Spec => {
  const loaded = loadSpec({ base: { version: 'v1', agent: { name: 'root' }, ...document } });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.spec;
};

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

  test('every drawing has unique nodes, known ends, and the references that it draws', () => {
    for (const file of readdirSync(SPECS).filter((name) => /\.(yaml|json)$/.test(name))) {
      if (file === 'expected.json') continue;
      const read = load(file);
      const { nodes, edges } = topologyOf(read);
      const ids = new Set(nodes.map(({ id }) => id));
      expect(ids.size, file).toBe(nodes.length);
      for (const { source, target } of edges) expect(ids.has(source) && ids.has(target)).toBe(true);
      const { definitions, uses } = referencesOf(read);
      for (const use of uses) {
        const found = definitions.some(
          (one) =>
            one.kind === use.kind && one.name === use.name && (use.scope ?? null) === one.scope,
        );
        expect(found, `${file} ${use.path}`).toBe(true);
      }
    }
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
  const empty = spec({ workflow: { type: 'sequential', steps: [step] }, components });
  expect(compileSpec(empty).refusal?.code).toBe('invalid_request');
  expect(compileSpec(spec({ agent: { name: '' } })).refusal?.code).toBe('invalid_request');
  const memory = spec({ agent: { name: 'a', memory: { policy: 'elephant' } } });
  expect(compileSpec(memory).refusal?.code).toBe('invalid_request');
});

test('strict decides whether semantic errors refuse', () => {
  const bad = spec({ agent: { name: 'a', skills: ['ghost'] } });
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
