import { expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../load/load-spec.ts';
import { environmentPolicyFindings } from '../reports/environment-policy.ts';
import { validateSpec } from '../rules/validate.ts';
import { buildOrder } from './build-order.ts';

function specOf(document: JsonObject) {
  const { spec, diagnostics } = loadSpec({
    base: { version: 'v1', agent: { name: 'root' }, ...document },
  });
  if (spec === undefined) throw new Error(JSON.stringify(diagnostics));
  return spec;
}

const names = (document: JsonObject) =>
  buildOrder(specOf(document)).order?.map(({ kind, name }) => `${kind} ${name}`);

test('ready parts come by kind, then name; each after what it needs', () => {
  const agents = {
    b: { name: 'b', tools: { include: ['t', 'gone'], exclude: ['u'] }, skills: ['s'] },
    a: { name: 'a', guardrails: { output: [{ id: 'g', type: 'agent', ref: 'judge' }, 'x'] } },
    judge: { name: 'judge', memory: { policy: 'summary', summarizer: { ref: 'short' } } },
    short: { name: 'short' },
    flow: { name: 'flow', as_agent: 'w' },
  };
  const steps = [
    { id: 'x', kind: 'guardrail', ref: 'a' },
    { id: 'y', kind: 'workflow', ref: 'v' },
    { id: 'z', kind: 'agent', ref: 'flow', enabled: false },
  ];
  const workflows = {
    w: { type: 'sequential', steps },
    v: { type: 'sequential', steps: [{ id: 'x', kind: 'human', ref: 'h' }] },
  };
  const tools = { t: { description: 'd', agent: 'short' }, u: { description: 'd', agent: 'b' } };
  expect(
    names({ components: { agents, workflows }, tools, skills: { s: { source: 's' } } }),
  ).toEqual([
    'agent short',
    'skill s',
    'workflow v',
    'agent judge',
    'tool t',
    'agent a',
    'agent b',
    'tool u',
    'workflow w',
    'agent flow',
  ]);
});

test('one cycle is reported, whatever hangs on it', () => {
  const agents = {
    a: { name: 'a', tools: { include: ['t'], permissions: {} } },
    other: { name: 'o', tools: { include: ['x'], permissions: {} } },
  };
  const tools = { t: { description: 'd', agent: 'a' }, x: { description: 'd', agent: 'a' } };
  const spec = specOf({ components: { agents }, tools });
  expect(buildOrder(spec).cycle?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'agent a',
    'tool t',
  ]);
  expect(validateSpec(spec).map(({ code, path }) => [code, path])).toEqual([
    ['E_BUILD_CYCLE', 'components'],
  ]);
});

test('the root agent is no part, so its tools may call back', () => {
  expect(
    names({
      agent: { name: 'root', tools: ['t'] },
      tools: { t: { description: 'd', implementation: 'a.b' } },
    }),
  ).toEqual(['tool t']);
});

test('a thousand parts that need one another in a chain are ordered quickly', () => {
  const agents: JsonObject = {};
  const workflows: JsonObject = {};
  for (let i = 0; i < 1000; i += 1) {
    agents[`a${i}`] = { name: 'x', as_agent: `w${i}` };
    workflows[`w${i}`] = {
      type: 'sequential',
      steps: [{ id: 's', kind: 'agent', ref: `a${i + 1}` }],
    };
  }
  agents['a1000'] = { name: 'x' };
  expect(names({ components: { agents, workflows } })).toHaveLength(2001);
});

const POLICY = {
  enabled: true,
  fail_on_warnings: true,
  blocked_diagnostic_codes: [],
  require_human_review: false,
  require_tool_permissions: false,
  deny_unrestricted_tools: false,
  require_guardrails: false,
};

test('under fail_on_warnings each warning blocks at its path; a policy that is off blocks nothing', () => {
  const spec = specOf({ agent: { name: 'a', strategy: 'react' } });
  expect(environmentPolicyFindings(spec, POLICY).map(({ code, path }) => [code, path])).toEqual([
    ['E_ENV_POLICY_WARNING', 'agent.model'],
  ]);
  expect(environmentPolicyFindings(spec, { ...POLICY, enabled: false })).toEqual([]);
});

test('what guardrails name but nothing declares, and stages that are no lists, are left out', () => {
  const agents = {
    a: {
      name: 'a',
      guardrails: {
        output: [{ id: 'g', type: 'agent', ref: 'gone' }],
        house_rules: { strict: true },
      },
      memory: { policy: 'summary', summarizer: { ref: 'nobody' } },
    },
  };
  expect(names({ components: { agents } })).toEqual(['agent a']);
});
