import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { itemsOf } from '../append-list.ts';
import type { PendingEffect } from '../effect.ts';
import type { RunEvent } from '../event.ts';
import type { Program } from '../program.ts';
import { getSeq, seqValues } from '../seq-map.ts';
import type { Frame, RunState } from '../state.ts';
import { carryOn } from '../testing/carried.ts';
import {
  answerTo,
  apply,
  createdRun,
  type DrivenRun,
  nextTime,
  testSetup,
} from '../testing/drive.ts';
import { programWith, workflow } from '../testing/random-workflows.ts';

const HANDLERS = {
  echo: (text: unknown) => `echo ${text}`,
  // Its step goes on all the same: on_error says so.
  broken: () => {
    throw new Error('broken');
  },
  sometimes: (text: unknown) => `always ${JSON.stringify(text)}`,
};

/** Steps that call what is broken go on; so the run itself never fails. */
function mended(spec: JsonObject): JsonObject {
  const text = JSON.stringify(spec, (_key, value) =>
    typeof value === 'object' && value !== null && 'ref' in value
      ? { ...value, on_error: value.ref === 'broken' ? 'continue' : 'fail' }
      : value,
  );
  return JSON.parse(text);
}

/**
 * Branches share what an agent remembers, in the order in which they happen to end: only such as are
 * one call each come to the same however they are cut.
 */
function plainBranches(spec: JsonObject): JsonObject {
  const { participants, type } = spec;
  if (type !== 'concurrent' || !Array.isArray(participants)) return spec;
  const plain = participants.map((step) => {
    const isDeep = isJsonObject(step) && (step['kind'] === 'workflow' || step['ref'] === 'team');
    return isDeep ? { ...step, kind: 'agent', ref: 'plain' } : step;
  });
  return { ...spec, participants: plain };
}

/** The step of the run's own workflow that an effect is asked for. */
function rootStep(state: RunState, effect: PendingEffect): string {
  const frames = new Map(
    [...seqValues(state.frames)].map((frame): [string, Frame] => [frame.id, frame]),
  );
  const asked = getSeq(state.pending, Number(effect.id.slice(1)))?.frame ?? '';
  let at = frames.get(asked);
  while (at !== undefined && at.parent !== null && frames.get(at.parent)?.parent !== null) {
    at = frames.get(at.parent);
  }
  return at?.id ?? '';
}

function described({ id: _id, ...effect }: PendingEffect): string {
  return JSON.stringify(effect);
}

interface Answered {
  readonly step: string;
  readonly what: string;
}

/** Answers until the run is over or so many answers were given; tells what was answered, and for whom. */
function answerUpTo(run: DrivenRun, most: number): Answered[] {
  const given: Answered[] = [];
  while (given.length < most && !isTerminalStatus(run.state.status)) {
    const index = run.queue.findIndex((effect) => effect.kind !== 'start_timer');
    const [effect] = index < 0 ? [] : run.queue.splice(index, 1);
    if (effect !== undefined) {
      const step = rootStep(run.state, effect);
      const event = answerTo(effect, HANDLERS, nextTime(run));
      given.push({ step, what: described(effect) });
      if (event !== undefined) apply(run, event);
      continue;
    }
    const { pause } = run.state;
    if (pause === null) throw new Error('the run waits for nothing');
    const decision = { decision: 'provided', content: `to ${pause.step}` } as const;
    given.push({ step: '', what: `person ${pause.step}: ${pause.input}` });
    apply(run, { type: 'human_decided', at: nextTime(run), decision });
  }
  return given;
}

/** Those answered for steps that have ended, or by a person. */
function acknowledged(run: DrivenRun, given: readonly Answered[]): string[] {
  const open = new Set([...seqValues(run.state.frames)].map(({ id }) => id));
  return given.filter(({ step }) => !open.has(step)).map(({ what }) => what);
}

const STOPS: readonly ((at: number) => RunEvent)[] = [
  (at) => ({ type: 'deadline_passed', at }),
  (at) => ({ type: 'failed', at, error: { type: 'error', message: 'The service was restarted.' } }),
];

function begun(program: Program): DrivenRun {
  const run = createdRun(program, testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  return run;
}

/** What a run comes to, without times and without the ids of people's answers. */
function comesTo(run: DrivenRun) {
  const { status, output_text, messages, visited, histories, result, error } = run.state;
  const { duration_ms: _ms, resumed_from_continuation_id: _id, ...metadata } = result;
  return {
    ...{ status, output_text, messages, histories, error: status === 'completed' ? null : error },
    ...{ visited: itemsOf(visited), metadata: status === 'completed' ? metadata : null },
  };
}

test('a run that is stopped anywhere and carried on comes to what it would have, and repeats nothing that had ended', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      workflow(true, true).map(mended).map(plainBranches),
      workflow(false, false).map(mended),
      fc.array(fc.tuple(fc.nat(12), fc.nat(1)), { minLength: 1, maxLength: 3 }),
      (root, inner, stops) => {
        const program = programWith(root, inner);
        const whole = begun(program);
        const all = answerUpTo(whole, 5_000).map(({ what }) => what);
        let run = begun(program);
        const kept: string[] = [];
        for (const [after, how] of stops) {
          const given = answerUpTo(run, after);
          if (isTerminalStatus(run.state.status)) {
            kept.push(...given.map(({ what }) => what));
            break;
          }
          kept.push(...acknowledged(run, given));
          const stop = STOPS[how];
          if (stop !== undefined) apply(run, stop(nextTime(run)));
          kinds.add(`${run.state.workflow_type} ${run.state.status}`);
          // As it is read again from a store.
          run = { ...run, state: JSON.parse(JSON.stringify(run.state)) };
          run = carryOn(run, program);
        }
        kept.push(...answerUpTo(run, 5_000).map(({ what }) => what));
        expect(comesTo(run)).toEqual(comesTo(whole));
        expect(kept.toSorted()).toEqual(all.toSorted());
      },
    ),
    { numRuns: 400 },
  );
  // Each kind was stopped in both ways.
  for (const kind of ['sequential', 'graph', 'concurrent', 'handoff', 'group_chat']) {
    expect([...kinds]).toContain(`${kind} timed_out`);
    expect([...kinds]).toContain(`${kind} failed`);
  }
});
