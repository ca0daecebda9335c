import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTerminalStatus } from '../contract/platform/run-status.ts';
import type { RunEvent } from './event.ts';
import { pendingEffects, step } from './step.ts';
import {
  answerTo,
  apply,
  createdRun,
  type DrivenRun,
  decide,
  drive,
  nextTime,
  testSetup,
} from './testing/drive.ts';
import { replayRun } from './testing/replay.ts';
import { sampleFunctions } from './testing/sample-functions.ts';
import { programOf } from './testing/sample-programs.ts';

const folder = new URL('../../test/fixtures/specs/', import.meta.url);
const FILES: readonly (readonly [string, string])[] = [
  ['support-triage.yaml', 'Printer'],
  ['invoice-approval.yaml', 'Invoice 1'],
  ['release-notes.yaml', 'fix CVE'],
  ['retry-loop-limit.yaml', 'red'],
  ['incident-handoff.yaml', 'disk'],
  ['vendor-panel.yaml', 'laptops'],
  ['pricing-debate.yaml', 'basic'],
  ['contract-review.yaml', 'lease'],
  ['campaign-check.yaml', 'sale'],
  ['postmortem-circle.yaml', 'outage'],
  ['nested-onboarding.yaml', 'Mira'],
  ['stubborn-sync.yaml', 'batch'],
  ['graph-fallback.yaml', 'parcel'],
  ['draft-gate.yaml', 'top-secret'],
  ['failing-import.yaml', 'a'],
  ['remembering-tutor.yaml', 'fractions'],
];

const TOOLS = `
version: v1
agent:
  name: root
  strategy: {type: react, max_iterations: 3}
  tools: {include: [web_search, ask], permissions: {allow_network: true}}
  guardrails:
    tool: [{id: t, type: function, ref: ok, action: warn}]
    output: [{id: o, type: agent, ref: judge, action: warn}]
  memory: {policy: summary, summarizer: {ref: condense}}
workflow:
  type: concurrent
  participants:
    - {id: a, kind: agent, ref: searcher, max_retries: 1, timeout_seconds: 5, on_error: continue}
    - {id: b, kind: function, ref: flaky, max_retries: 2, timeout_seconds: 2, on_error: continue}
    - {id: c, kind: workflow, ref: inner}
    - {id: d, kind: human, ref: h}
tools:
  web_search: {description: s, implementation: search}
  ask: {description: a, agent: judge}
components:
  agents:
    judge: {name: judge}
    searcher: {name: searcher, strategy: react, tools: {include: [web_search], permissions: {}}}
  functions:
    ok: {implementation: ok}
    condense: {implementation: ok}
    flaky: {implementation: flaky}
  humans: {h: {timeout_seconds: 9, on_timeout: continue}}
  workflows:
    inner:
      type: graph
      start: x
      max_steps: 4
      nodes:
        x: {id: x, kind: agent, ref: judge}
        y: {id: y, kind: function, ref: flaky, on_error: fallback, fallback_ref: x}
      edges: [{from: x, to: y}, {from: y, to: x}]
`;

const HANDLERS = {
  ...sampleFunctions(),
  ok: () => true,
  search: () => 'hit',
  flaky: () => {
    throw new Error('flaky');
  },
};

function finished(file: string, input: string): DrivenRun {
  const program = programOf(readFileSync(new URL(file, folder), 'utf8'));
  const handlers = sampleFunctions();
  const run = drive(program, testSetup(input), handlers);
  for (let i = 0; run.state.status === 'blocked' && i < 5; i += 1) {
    decide(run, { decision: 'edited', content: 'ok' }, handlers);
  }
  return run;
}

const origin = (run: DrivenRun) => ({
  setup: run.state.setup,
  status: 'running' as const,
  created_at: Date.UTC(2026, 10, 21, 9, 0, 0),
});

test.each(FILES)('%s: every cut of the event list replays to the same bytes', (file, input) => {
  const run = finished(file, input);
  const recorded = createdRun(run.program, run.state.setup);
  for (let cut = 0; cut <= run.events.length; cut += 1) {
    const state = replayRun(run.program, origin(run), run.events.slice(0, cut));
    expect(JSON.stringify(state)).toBe(JSON.stringify(recorded.state));
    expect(JSON.stringify(pendingEffects(state))).toBe(
      JSON.stringify(pendingEffects(recorded.state)),
    );
    const event = run.events[cut];
    if (event === undefined) break;
    const before = JSON.stringify(recorded.state);
    const kept = recorded.state;
    recorded.state = JSON.parse(before);
    apply(recorded, event);
    expect(JSON.stringify(kept)).toBe(before);
  }
  expect(isTerminalStatus(run.state.status)).toBe(true);
});

test.each(FILES)('%s: cancelling at every position ends cancelled', (file, input) => {
  const run = finished(file, input);
  for (let cut = 0; cut < run.events.length; cut += 1) {
    const state = replayRun(run.program, origin(run), run.events.slice(0, cut));
    const outcome = step(null, state, { type: 'cancelled', at: 1, requested: true });
    expect(outcome.state.status).toBe('cancelled');
    expect(outcome.state.error).toEqual({
      type: 'cancelled',
      message: 'Run cancellation requested.',
    });
    expect(outcome.state.pending).toEqual({});
    expect(outcome.abandoned.length).toBe(pendingEffects(state).length);
    expect(outcome.checkpoints.map((row) => row.type)).toEqual(['run_cancelled']);
    const late = step(run.program, outcome.state, run.events[cut]!);
    expect(late.state).toBe(outcome.state);
  }
});

/** Something that may happen now, chosen by a number; often late, doubled or out of order. */
function happening(run: DrivenRun, choice: number): RunEvent {
  const at = nextTime(run);
  const pending = pendingEffects(run.state);
  const effect = pending[choice % Math.max(1, pending.length)];
  const old = run.events[choice % Math.max(1, run.events.length)];
  const special: RunEvent[] = [
    { type: 'task_expired', at },
    { type: 'continued', at },
    { type: 'start', at },
    { type: 'human_decided', at, decision: { decision: 'provided', content: 'yes' } },
    { type: 'timer_fired', at, effect_id: effect?.id ?? 'x0' },
    {
      type: 'effect_failed',
      at,
      effect_id: effect?.id ?? 'x0',
      error: { message: 'boom', timed_out: choice % 2 === 0 },
    },
    {
      type: 'effect_succeeded',
      at,
      effect_id: effect?.id ?? 'x0',
      result: { kind: 'value', value: { passed: false, revised_text: 'r' } },
    },
    old ?? { type: 'start', at },
  ];
  if (choice % 3 !== 0 || effect === undefined) return special[choice % special.length]!;
  if (effect.kind === 'start_timer') return { type: 'timer_fired', at, effect_id: effect.id };
  return answerTo(effect, HANDLERS, at) ?? { type: 'start', at };
}

test('no order of events crashes a step, and the state stays plain JSON', () => {
  const programs = [
    programOf(TOOLS),
    ...FILES.map(([file]) => programOf(readFileSync(new URL(file, folder), 'utf8'))),
  ];
  fc.assert(
    fc.property(
      fc.nat(programs.length - 1),
      fc.constantFrom('agent', 'workflow'),
      fc.array(fc.nat(10_000), { maxLength: 60 }),
      (index, target, choices) => {
        const program = programs[index]!;
        const run = createdRun(program, testSetup('search for x', target as 'agent'));
        apply(run, { type: 'start', at: nextTime(run) });
        for (const choice of choices) {
          const before = run.state;
          apply(run, happening(run, choice));
          if (isTerminalStatus(before.status) && run.state.status !== 'running') {
            expect(run.state.status).toBe(before.status);
          }
        }
        expect(JSON.parse(JSON.stringify(run.state))).toEqual(run.state);
        const status = run.state.status;
        const waits = pendingEffects(run.state).length > 0;
        expect(status === 'running' ? waits : !waits).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test('the deadline ends a run wherever it stands', () => {
  const run = finished('campaign-check.yaml', 'sale');
  const setup = { ...run.state.setup, timeout_seconds: 30, deadline_at: 1000 };
  for (let cut = 0; cut < run.events.length; cut += 1) {
    const state = replayRun(run.program, { ...origin(run), setup }, run.events.slice(0, cut));
    const outcome = step(null, state, { type: 'deadline_passed', at: 5 });
    expect(outcome.state.error).toEqual({
      type: 'run_timed_out',
      message: 'Run exceeded its 30s timeout.',
    });
    expect(outcome.checkpoints[0]).toMatchObject({
      type: 'run_timed_out',
      metadata: { deadline_at: 1000, status_at_timeout: state.status },
    });
  }
});
