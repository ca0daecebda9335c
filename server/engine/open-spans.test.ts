import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Around, openLegs, pausedLeg, spanAround } from './open-spans.ts';
import { answerTo, apply, createdRun, nextTime, testSetup } from './testing/drive.ts';
import { sampleFunctions } from './testing/sample-functions.ts';
import { programOf } from './testing/sample-programs.ts';

const folder = new URL('../../test/fixtures/specs/', import.meta.url);
const NOTHING: Around = { event_id: null, span_id: null, workflow_name: null };

test('each effect stands in a span of the trace, legs are open until they end or wait', () => {
  const run = createdRun(
    programOf(readFileSync(new URL('last-word-human.yaml', folder), 'utf8')),
    testSetup('case 12'),
  );
  expect(openLegs(run.state)).toEqual([]);
  apply(run, { type: 'start', at: nextTime(run) });
  const arounds: Around[] = [];
  for (let effect = run.queue.shift(); effect !== undefined; effect = run.queue.shift()) {
    arounds.push(spanAround(run.state, effect.id));
    expect(openLegs(run.state)).toHaveLength(1);
    expect(pausedLeg(run.state)).toBeUndefined();
    const answer = answerTo(effect, sampleFunctions(), nextTime(run));
    if (answer !== undefined) apply(run, answer);
  }
  expect(arounds.length).toBeGreaterThan(0);
  const told = new Set(run.trace.map(({ span_id }) => span_id));
  for (const { span_id } of arounds) expect(told).toContain(span_id);
  expect(openLegs(run.state)).toEqual([]);
  expect(pausedLeg(run.state)).toBeDefined();
  expect(spanAround(run.state, 'e99999')).toEqual(NOTHING);
});
