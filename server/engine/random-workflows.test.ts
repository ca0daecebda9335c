import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTerminalStatus } from '../contract/platform/run-status.ts';
import { itemsOf, listLength, listOf } from './append-list.ts';
import type { RunEvent } from './event.ts';
import type { Program } from './program.ts';
import { toRunFields } from './run-fields.ts';
import { pendingEffects, step } from './step.ts';
import {
  apply,
  createdRun,
  type DrivenRun,
  decide,
  nextTime,
  rerunOf,
  settle,
  testSetup,
} from './testing/drive.ts';
import { programWith, workflow } from './testing/random-workflows.ts';
import { replayRun } from './testing/replay.ts';

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

/** What each checkpoint says it added gives its record again, and its point exists. */
function checkGrowth(run: DrivenRun): void {
  let visited: readonly string[] = itemsOf(run.points[0]?.place?.visited ?? listOf([]));
  let counts: Record<string, number> = {};
  for (const [index, row] of run.checkpoints.entries()) {
    const { keep, tail } = row.growth.visited;
    if (index > 0 || keep > 0 || tail.length > 0) visited = [...visited.slice(0, keep), ...tail];
    counts = { ...counts, ...Object.fromEntries(row.growth.step_iteration_counts) };
    const shown =
      toRunFields(row.state).visited_steps.length > 0
        ? toRunFields(row.state).visited_steps
        : toRunFields(row.state).visited_nodes;
    if (index > 0) expect(shown).toEqual(visited);
    expect(toRunFields(row.state).metadata['step_iteration_counts']).toEqual(counts);
    expect(run.points.some((point) => point.number === row.point)).toBe(true);
  }
}

function checkRun(run: DrivenRun): void {
  checkGrowth(run);
  expect(isTerminalStatus(run.state.status)).toBe(true);
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
      expect(isTerminalStatus(run.state.status)).toBe(true);
      expect(listLength(run.state.visited)).toBeGreaterThanOrEqual(listLength(before.visited));
    }),
    { numRuns: 150 },
  );
});

/** Something late, doubled, unknown or out of place. */
function noise(run: DrivenRun, choice: number): RunEvent {
  const at = nextTime(run);
  const old = run.events[choice % Math.max(1, run.events.length)];
  const effect_id = ['x0', 'x99999', 'f1', '', 'x1e3', '__proto__'][choice % 6] ?? '';
  const result = { kind: 'value', value: 'late' } as const;
  const events: RunEvent[] = [
    { type: 'effect_succeeded', at, effect_id, result },
    { type: 'effect_failed', at, effect_id, error: { message: 'late' } },
    { type: 'timer_fired', at, effect_id },
    { type: 'start', at },
  ];
  const answered = old !== undefined && 'effect_id' in old ? old : undefined;
  return choice % 2 === 0 && answered !== undefined ? answered : (events[choice % 4] ?? events[0]!);
}

/** The run with its events applied once more, cut at a place, with noise between them. */
function replayedAt(run: DrivenRun, begin: () => DrivenRun, cut: number, choices: number[]) {
  const again = begin();
  for (const event of run.events.slice(0, cut)) {
    apply(again, event);
    const before = again.state;
    const choice = choices[again.events.length % choices.length] ?? 0;
    const outcome = step(run.program, before, noise(again, choice));
    expect(outcome.state).toBe(before);
  }
  return again;
}

test('a cut, noisy event list gives the same bytes, and cancel ends it there; reruns included', () => {
  fc.assert(
    fc.property(
      workflow(true, true),
      workflow(false, false),
      fc.nat(1000),
      fc.nat(1000),
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(undefined, 'edited', 'search this'),
      (root, inner, from, cut, choices, input) => {
        const first = finish(programWith(root, inner), 'go');
        const index = from % first.checkpoints.length;
        const edits = input === undefined ? undefined : { input };
        const begin = () => rerunOf(first, index, edits);
        const made = begin();
        const functions = handlers();
        apply(made, { type: 'start', at: nextTime(made) });
        settle(made, functions);
        for (let turns = 0; made.state.status === 'blocked' && turns < 40; turns += 1) {
          decide(made, { decision: 'approved' }, functions);
        }
        expect(isTerminalStatus(made.state.status)).toBe(true);
        expect(toRunFields(made.state).metadata['rerun_of']).toMatchObject({
          checkpoint_sequence: index + 1,
        });
        checkGrowth(made);
        const whole = replayedAt(made, begin, made.events.length, choices);
        expect(JSON.stringify(whole.state)).toBe(JSON.stringify(made.state));
        const part = replayedAt(made, begin, cut % made.events.length, choices);
        const stored = JSON.parse(JSON.stringify(part.state));
        expect(pendingEffects(stored)).toEqual(pendingEffects(part.state));
        const ended = step(null, stored, { type: 'cancelled', at: 9 });
        expect(ended.state.status).toBe('cancelled');
        expect(pendingEffects(ended.state)).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});
