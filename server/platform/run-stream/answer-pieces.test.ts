import { expect, test } from 'vitest';
import type { LiveAnswer } from '../../contract/platform/run-stream.ts';
import { HeardAnswers, SaidAnswers } from './answer-pieces.ts';

const said = (call: string, text: string, done = false): LiveAnswer => ({
  ...{ transient: true, call_id: call, agent_name: 'writer', step_id: null },
  ...{ text, cut: false, done },
});
const everybody = () => true;

/** A generator of numbers below `most` that is the same in every run. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % most;
  };
}

test('each word fits, and brings a reader to what was said, whatever the letters', () => {
  const speaker = new SaidAnswers();
  const reader = new HeardAnswers();
  const texts = [
    'x',
    '包'.repeat(9_000),
    `${'\u0001'.repeat(3_000)}😀`.repeat(2),
    '😀'.repeat(9_999),
  ];
  for (const text of texts) {
    const words = speaker.words([{ runId: 'r', answer: said('c', text) }]);
    for (const word of words) expect(Buffer.byteLength(word)).toBeLessThan(7_900);
    const told = words.flatMap((word) => reader.read(word, everybody).told);
    expect(told.map(({ answer }) => answer)).toEqual([said('c', text)]);
  }
});

test('what grows is told by what was added alone', () => {
  const speaker = new SaidAnswers();
  const start = 'word '.repeat(3_000);
  speaker.words([{ runId: 'r', answer: said('c', start) }]);
  const [word, ...more] = speaker.words([{ runId: 'r', answer: said('c', `${start}and more`) }]);
  expect(more).toEqual([]);
  expect(word?.length).toBeLessThan(300);
  expect(speaker.words([{ runId: 'r', answer: said('c', `${start}and more`) }])).toEqual([]);
});

test('many small answers share words', () => {
  const told = Array.from({ length: 30 }, (_item, at) => ({
    runId: 'r',
    answer: said(`${at}`, 'a'),
  }));
  expect(new SaidAnswers().words(told)).toHaveLength(1);
});

test('whatever is lost, a reader never shows what was not said, and is right again when it begins anew', () => {
  const next = numbers(7);
  const speaker = new SaidAnswers();
  const reader = new HeardAnswers();
  const texts: Record<string, string> = { a: '', b: '' };
  const ever = new Set<string>();
  for (let turn = 0; turn < 400; turn += 1) {
    const call = next(2) === 0 ? 'a' : 'b';
    const before = texts[call] ?? '';
    // A longer text may be redacted otherwise from some place on.
    const kept = next(10) === 0 ? before.slice(0, next(before.length + 1)) : before;
    const text = `${kept}${String.fromCodePoint(97 + next(26)).repeat(next(3_000))}`.slice(-40_000);
    texts[call] = text;
    ever.add(`${call} ${text}`);
    const words = speaker.words([{ runId: 'r', answer: said(call, text) }]);
    let isLost = false;
    for (const word of words) {
      if (next(20) === 0) continue;
      const { told, lost } = reader.read(word, everybody);
      isLost ||= lost.size > 0;
      for (const { answer } of told) expect(ever).toContain(`${answer.call_id} ${answer.text}`);
    }
    if (!isLost) continue;
    speaker.forget('r');
    const anew = speaker.words([{ runId: 'r', answer: said(call, text) }]);
    const told = anew.flatMap((word) => reader.read(word, everybody).told);
    expect(told.at(-1)?.answer.text).toBe(text);
  }
});

test('the end of an answer comes without its text, and the next one begins at nothing', () => {
  const speaker = new SaidAnswers();
  const reader = new HeardAnswers();
  const hear = (answer: LiveAnswer) =>
    speaker.words([{ runId: 'r', answer }]).flatMap((word) => reader.read(word, everybody).told);
  hear(said('c', 'one two'));
  expect(hear(said('c', '', true))[0]?.answer).toEqual(said('c', '', true));
  expect(hear(said('c', 'three'))[0]?.answer.text).toBe('three');
});

test('runs that nobody follows here and words of another form are passed over', () => {
  const reader = new HeardAnswers();
  const [word = ''] = new SaidAnswers().words([{ runId: 'r', answer: said('c', 'one') }]);
  expect(reader.read(word, () => false)).toEqual({ told: [], lost: new Set() });
  for (const other of ['', 'x', '{"run_id": 1}', '[{"run_id": "r"}]']) {
    expect(reader.read(other, everybody).told).toEqual([]);
  }
});
