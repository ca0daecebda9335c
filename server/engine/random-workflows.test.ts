import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../kernel/json.ts';
import { loadSpec } from '../spec/load-spec.ts';
import { listLength } from './append-list.ts';
import { buildProgram } from './build-program.ts';
import type { Program } from './program.ts';
import { isTerminal } from './run-status.ts';
import {
  apply,
  createdRun,
  type DrivenRun,
  decide,
  nextTime,
  settle,
  testSetup,
} from './testing/drive.ts';
import { replayRun } from './testing/replay.ts';

const FUNCTIONS = ['echo', 'broken', 'sometimes'];
const AGENTS = ['plain', 'tooled', 'planner', 'guarded', 'team'];

function step(id: string, nested: boolean, top: boolean) {
  const kinds = [
    fc.record({ kind: fc.constant('agent'), ref: fc.constantFrom(...AGENTS) }),
    fc.record({ kind: fc.constant('function'), ref: fc.constantFrom(...FUNCTIONS) }),
    ...(nested ? [fc.constant({ kind: 'workflow', ref: 'inner' })] : []),
    ...(top ? [fc.constant({ kind: 'human', ref: 'person' })] : []),
  ];
  return fc
    .tuple(
      fc.oneof(...kinds),
      fc.constantFrom('fail', 'continue', 'retry'),
      fc.nat(2),
      fc.constantFrom(null, 3),
    )
    .map(
      ([target, on_error, max_retries, timeout_seconds]): JsonObject => ({
        id,
        ...target,
        on_error,
        max_retries,
        timeout_seconds,
      }),
    );
}

function steps(nested: boolean, top: boolean) {
  return fc
    .integer({ min: 1, max: 5 })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, i) => step(`s${i}`, nested, top))),
    );
}

function workflow(nested: boolean, top: boolean): fc.Arbitrary<JsonObject> {
  const listed = (type: string, key: string) =>
    steps(nested, top).map((list): JsonObject => ({ type, name: type, [key]: list }));
  const graph = fc
    .tuple(
      steps(nested, top),
      fc.array(fc.tuple(fc.nat(4), fc.nat(4), fc.boolean()), { maxLength: 8 }),
      fc.nat(6),
    )
    .map(
      ([list, links, cap]): JsonObject => ({
        type: 'graph',
        name: 'graph',
        start: 's0',
        max_steps: cap + 1,
        nodes: Object.fromEntries(list.map((item) => [String(item['id']), item])),
        edges: links
          .filter(([from, to]) => from < list.length && to < list.length)
          .map(([from, to, conditional]) => ({
            from: `s${from}`,
            to: `s${to}`,
            condition: conditional ? { type: 'output_contains', value: 'final' } : null,
          })),
      }),
    );
  return fc.oneof(
    listed('sequential', 'steps'),
    listed('handoff', 'participants'),
    listed('concurrent', 'participants'),
    steps(nested, top).map(
      (list): JsonObject => ({ type: 'group-chat', name: 'chat', rounds: 2, participants: list }),
    ),
    graph,
  );
}

function programWith(root: JsonObject, inner: JsonObject): Program {
  const loaded = loadSpec({
    base: {
      version: 'v1',
      agent: {
        name: 'root',
        guardrails: {
          workflow: [{ id: 'w', type: 'regex', action: 'redact', config: { patterns: ['zz+'] } }],
        },
      },
      workflow: root,
      tools: { web_search: { description: 's', implementation: 'sometimes' } },
      components: {
        agents: {
          plain: { name: 'plain' },
          tooled: {
            name: 'tooled',
            strategy: 'react',
            tools: { include: ['web_search'], permissions: {} },
          },
          planner: {
            name: 'planner',
            strategy: 'plan-act',
            memory: { policy: 'sliding_window', max_messages: 3 },
          },
          guarded: {
            name: 'guarded',
            guardrails: { input: [{ id: 'g', type: 'keyword', config: { keywords: ['stop!'] } }] },
          },
          team: { name: 'team', as_agent: 'pair' },
        },
        functions: Object.fromEntries(FUNCTIONS.map((name) => [name, { implementation: name }])),
        humans: { person: { request_type: 'freeform' } },
        workflows: {
          inner,
          pair: { type: 'sequential', steps: [{ id: 'p', kind: 'agent', ref: 'plain' }] },
        },
      },
    },
  });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return buildProgram(loaded.spec);
}

function handlers() {
  let calls = 0;
  return {
    echo: (text: unknown) => `echo ${text}`,
    broken: () => {
      throw new Error('broken');
    },
    sometimes: () => {
      calls += 1;
      if (calls % 2 === 1) throw new Error('not now');
      return `call ${calls}`;
    },
  };
}

function finish(program: Program, input: string): DrivenRun {
  const run = createdRun(program, testSetup(input));
  const functions = handlers();
  apply(run, { type: 'start', at: nextTime(run) });
  settle(run, functions);
  for (let turns = 0; run.state.status === 'blocked' && turns < 40; turns += 1) {
    decide(run, { decision: 'provided', content: `answer ${turns}` }, functions);
  }
  return run;
}

function checkRun(run: DrivenRun): void {
  expect(isTerminal(run.state.status)).toBe(true);
  expect(run.state.frames).toEqual({});
  expect(run.state.pending).toEqual({});
  const ids = [
    ...run.trace.map((event) => event.event_id),
    ...run.checkpoints.map((row) => row.id),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(run.checkpoints.map((row) => row.sequence)).toEqual(run.checkpoints.map((_, i) => i + 1));
  const ends = run.checkpoints.filter((row) => row.type === 'run_completed');
  expect(ends.length).toBe(run.state.status === 'completed' ? 1 : 0);
  if (run.state.status === 'completed') expect(run.state.error).toBeNull();
  const agentStarts = run.trace.filter((event) => event.type === 'run_started');
  const agentEnds = run.trace.filter((event) => /^run_(completed|failed)$/.test(event.type));
  expect(new Set(agentEnds.map((event) => event.span_id))).toEqual(
    new Set(agentStarts.map((event) => event.span_id)),
  );
  const replayed = replayRun(
    run.program,
    { setup: run.state.setup, status: 'running', created_at: Date.UTC(2026, 10, 21, 9) },
    run.events,
  );
  expect(JSON.stringify(replayed)).toBe(JSON.stringify(run.state));
}

test('any workflow runs to its end, closes its agent spans and replays to the same bytes', () => {
  fc.assert(
    fc.property(
      workflow(true, true),
      workflow(false, false),
      fc.constantFrom('go', 'search it', 'stop! now', 'zzz'),
      (root, inner, input) => {
        checkRun(finish(programWith(root, inner), input));
      },
    ),
    { numRuns: 250 },
  );
});

test('a failed run that can be continued ends again, whatever it is', () => {
  fc.assert(
    fc.property(workflow(true, false), workflow(false, false), (root, inner) => {
      const run = finish(programWith(root, inner), 'go');
      const restart = run.state.restart;
      const before = run.state;
      apply(run, { type: 'continued', at: nextTime(run) });
      if (restart === null || before.status !== 'failed') expect(run.state).toBe(before);
      else expect(run.state.status).toBe('running');
      settle(run, handlers());
      expect(isTerminal(run.state.status)).toBe(true);
      expect(listLength(run.state.visited)).toBeGreaterThanOrEqual(listLength(before.visited));
    }),
    { numRuns: 150 },
  );
});
