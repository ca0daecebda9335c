import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomSpecs } from '../../server/engine/testing/random-specs.ts';
import { differenceFunctions } from '../support/difference-functions.ts';
import {
  type Answer,
  type Loose,
  startTestPlatform,
  type TestPlatform,
} from '../support/platform.ts';

/** One class of specs on which we and the reference once differed, with what is right. */
interface DifferenceClass {
  readonly id: string;
  readonly title: string;
  readonly right: string;
  readonly input: string;
  readonly answers: readonly Record<string, unknown>[];
  /** A text is YAML. */
  readonly spec: string | Record<string, unknown>;
  readonly expected: {
    readonly validate: readonly [number, boolean, Finding[]];
    readonly compile: readonly [number, boolean | string, Finding[]];
    readonly run?: readonly [number, string];
    readonly legs: readonly Leg[];
    readonly more?: unknown;
  };
}
type Finding = [code: string, path: string | null];
interface Leg {
  readonly status: string;
  readonly output: string | null;
  readonly visited: readonly string[];
  readonly trace: readonly string[];
  readonly checkpoints: readonly string[];
}

const classes: DifferenceClass[] = JSON.parse(
  readFileSync(new URL('../fixtures/differences.json', import.meta.url), 'utf8'),
);

let p: TestPlatform;
let root: string;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'differences-'));
  p = await startTestPlatform({
    handlers: differenceFunctions(),
    specRoot: root,
    // The reference's traces have no calls.
    env: { SERV_TRACE_CALLS: 'false' },
  });
});
afterAll(async () => {
  await p.stop();
  rmSync(root, { recursive: true, force: true });
});

/** The spec as a request names it: inline, or by the path of a file for YAML. */
function sourceOf({ id, spec }: DifferenceClass): Record<string, unknown> {
  if (typeof spec !== 'string') return { spec };
  writeFileSync(path.join(root, `${id}.yaml`), spec);
  return { spec_path: `${id}.yaml` };
}

function findingsIn(holder: Loose): Finding[] {
  return (holder?.diagnostics ?? []).map(({ code, path: at }: Loose) => [code, at]);
}

function checked({ status, body }: Answer, word: 'valid' | 'ok') {
  if (status === 200) return [status, body[word], findingsIn(body)];
  return [status, body.detail.error, findingsIn(body.detail)];
}

function traceLine(event: Loose): string {
  return event.type === 'human_intervention_requested'
    ? `${event.type}:${event.step_id}`
    : event.type;
}

function rowLine(row: Loose): string {
  if (row.node_id !== null) return `${row.type}@${row.node_id}`;
  return row.step_id === null ? row.type : `${row.type}:${row.step_id}`;
}

async function legOf(id: string): Promise<Leg> {
  const { body } = await p.get(`/v1/runs/${id}`);
  const trace = await p.get(`/v1/runs/${id}/trace?limit=1000`);
  const rows = await p.get(`/v1/runs/${id}/checkpoints?limit=1000`);
  return {
    status: body.status,
    output: body.output_text,
    visited:
      body.workflow_kind === 'workflow' && body.visited_nodes.length > 0
        ? body.visited_nodes
        : body.visited_steps,
    trace: trace.body.events.map(traceLine),
    checkpoints: rows.body.checkpoints.map(rowLine),
  };
}

/** What is looked at beside status, output, path, trace and checkpoints. */
async function moreOf(
  { id, spec }: DifferenceClass,
  run: string,
  tasks: Loose[],
): Promise<unknown> {
  const { body } = await p.get(`/v1/runs/${run}`);
  const { body: trace } = await p.get(`/v1/runs/${run}/trace`);
  const started = trace.events.find(({ type }: Loose) => type === 'workflow_started');
  switch (id) {
    case 'M4':
    case 'L6': {
      const { body: recovery } = await p.get(`/v1/runs/${run}/recovery`);
      const { workflow_type, failed_step, resume_input } = recovery.replay_context;
      return { replay_context: { workflow_type, failed_step, resume_input } };
    }
    case 'M5': {
      const { pending_step_id, pending_node_id } = body.metadata;
      return { pending_step_id, pending_node_id };
    }
    case 'L3': {
      const { title, prompt } = body.pending_human_request;
      return { title, prompt };
    }
    case 'L4':
      return (await p.get(`/v1/runs?session_id=class-L4`)).body.runs[0].messages.map(
        ({ role, content, name }: Loose) => [role, content, name],
      );
    case 'L5':
      return tasks.map(({ messages }) => ({
        messages: messages.map(({ role, content, name }: Loose) => ({ role, content, name })),
      }));
    case 'L12':
      return trace.events
        .filter(({ type }: Loose) => type === 'run_started')
        .map(({ metadata }: Loose) => metadata.message_count);
    case 'L13':
      return body.workflow_name;
    case 'L14':
      return [body.metadata.workflow_type, started.metadata.workflow_type];
    case 'L15':
      return [body.metadata.iterations, body.metadata.workflow_steps];
    default: {
      const report = await p.post('/v1/specs/policy-report', { spec });
      return report.body.report.memory.agents;
    }
  }
}

describe('samples/specs/differences.md: each class is what "Right" says', () => {
  test.each(classes.map((one) => [one.id, one.title, one] as const))(
    '%s %s',
    async (_id, _title, one) => {
      const { expected, answers, input } = one;
      const source = sourceOf(one);
      const validate = await p.post('/v1/specs/validate', source);
      const compile = await p.post('/v1/specs/compile', source);
      expect(checked(validate, 'valid')).toEqual(expected.validate);
      expect(checked(compile, 'ok')).toEqual(expected.compile);
      if (expected.run === undefined) return;

      const session = `class-${one.id}`;
      const run = await p.post('/v1/runs', { input, session_id: session, ...source });
      const outcome = run.status === 200 ? run.body.status : run.body.detail.error;
      expect([run.status, outcome]).toEqual(expected.run);
      const { body: list } = await p.get(`/v1/runs?session_id=${session}`);
      const id: string | undefined = list.runs[0]?.id;
      const legs: Leg[] = [];
      const tasks: Loose[] = [];
      if (id !== undefined) legs.push(await legOf(id));
      else expect(expected.legs).toEqual([]);
      for (const answer of answers) {
        const { body } = await p.get(`/v1/runs/${id}`);
        if (body.status !== 'blocked') break;
        const task = await p.get(`/v1/human-tasks/${body.continuation_id}`);
        tasks.push(task.body);
        await p.post(`/v1/human-tasks/${body.continuation_id}/resume`, {
          request_id: task.body.request.id,
          ...answer,
        });
        legs.push(await legOf(id ?? ''));
      }
      expect(legs).toEqual(expected.legs);
      if (expected.more !== undefined)
        expect(await moreOf(one, id ?? '', tasks)).toEqual(expected.more);
    },
  );
});

/** Specs with a number that only JSON of a request can say, and where it stands. */
const OVERFLOWS = [
  ['metadata.a', '{"version":"v1","metadata":{"a":1e400},"agent":{"name":"r"}}'],
  [
    'agent.model.temperature',
    '{"version":"v1","agent":{"name":"r","model":{"provider":"dummy","name":"d","temperature":1e400}}}',
  ],
  [
    'agent.memory.max_messages',
    '{"version":"v1","agent":{"name":"r","memory":{"policy":"sliding_window","max_messages":-1e400}}}',
  ],
  [
    'policies.list[1].deep',
    '{"version":"v1","agent":{"name":"r"},"policies":{"list":[1,{"deep":1e999}]}}',
  ],
] as const;

test.each(OVERFLOWS)('a number that cannot be kept is refused everywhere: %s', async (at, spec) => {
  const wanted = [['E_PARSE', at]];
  const validate = await p.call('POST', '/v1/specs/validate', { raw: `{"spec":${spec}}` });
  expect(checked(validate, 'valid')).toEqual([200, false, wanted]);
  const compile = await p.call('POST', '/v1/specs/compile', { raw: `{"spec":${spec}}` });
  expect(checked(compile, 'ok')).toEqual([400, 'spec_invalid', wanted]);
  const run = await p.call('POST', '/v1/runs', { raw: `{"input":"hi","spec":${spec}}` });
  expect(checked(run, 'ok')).toEqual([400, 'spec_invalid', wanted]);
});

test('a guardrail that cannot be applied stops a run that is not strict, too', async () => {
  const guardrails = { input: [{ id: 'a', type: 'keyword', config: { keywords: 'secret' } }] };
  const spec = { version: 'v1', agent: { name: 'r', guardrails } };
  const run = await p.post('/v1/runs', { input: 'my secret', strict: false, spec });
  expect(run.status).toBe(400);
  expect(run.body.detail.message).toContain('agent.guardrails.input[0].config.keywords');
});

/** What a run of a spec that compiles may fail with: its own guardrails, budgets and caps, never the service. */
const OWN_STOPS = /Guardrail|Tool|Token budget|switched off|step cap|max iterations/;

test('random specs: what validates and compiles runs, and nothing is an internal error', async () => {
  let ran = 0;
  for (const [index, spec] of fc.sample(randomSpecs, { numRuns: 60, seed: 12 }).entries()) {
    const shown = JSON.stringify(spec);
    const session = `random-${index}`;
    const validate = await p.post('/v1/specs/validate', { spec });
    const compile = await p.post('/v1/specs/compile', { spec });
    const run = await p.post('/v1/runs', { input: 'search it', session_id: session, spec });
    expect(validate.status, shown).toBe(200);
    if (!validate.body.valid) expect(compile.status, shown).toBe(400);
    if (compile.status !== 200) {
      const { error, message, diagnostics } = compile.body.detail;
      expect(diagnostics, `${message} ${shown}`).toBeDefined();
      expect([compile.status, diagnostics.length > 0], shown).toEqual([400, true]);
      expect([run.status, run.body.detail.error], shown).toEqual([400, error]);
      continue;
    }
    ran += 1;
    if (run.status === 200) continue;
    const { body: list } = await p.get(`/v1/runs?session_id=${session}`);
    expect(list.runs[0]?.error?.message, shown).toMatch(OWN_STOPS);
  }
  expect(ran).toBeGreaterThan(20);
});
