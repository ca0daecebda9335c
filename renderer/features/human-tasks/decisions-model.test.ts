import { describe, expect, it } from 'vitest';
import { countdown } from '../../ui/countdown.ts';
import {
  answerBody,
  type Decision,
  decisionsOf,
  effectOf,
  emptyAnswer,
  missingFor,
  timeoutText,
} from './decisions-model.ts';

const task = {
  request_type: 'approval',
  options: [],
  default_option: null,
  input_text: 'the  draft',
  request_id: 'q1',
  on_timeout: 'fail',
};
const pick = (type: string, decision: string): Decision =>
  decisionsOf({ request_type: type, options: [] }).find((item) => item.decision === decision)!;

describe('decisionsOf', () => {
  it('offers what fits the request and one main decision for each', () => {
    const of = (type: string | null, options: string[] = []) =>
      decisionsOf({ request_type: type, options });
    const offered = (type: string | null, options?: string[]) =>
      of(type, options).map(({ decision }) => decision);
    expect(offered('approval')).toEqual(['approved', 'rejected', 'edited']);
    expect(offered('selection', ['x'])).toEqual(['selected', 'rejected']);
    expect(offered('approval', ['x'])).toEqual(['approved', 'rejected', 'edited', 'selected']);
    expect(offered('freeform')).toEqual(['provided', 'rejected']);
    expect(offered('correction')).toEqual(['edited', 'rejected']);
    for (const type of ['approval', 'review', 'correction', 'selection', 'freeform', null]) {
      expect(of(type, ['x']).filter(({ main }) => main)).toHaveLength(1);
    }
  });
});

describe('an answer', () => {
  it('starts with the text to correct and the default option', () => {
    expect(emptyAnswer({ ...task, request_type: 'correction' }).content).toBe('the  draft');
    expect(emptyAnswer(task).content).toBe('');
    expect(emptyAnswer({ ...task, default_option: 'b' }).option).toBe('b');
  });

  it('wants its text or its option before it can go', () => {
    const empty = { content: '', option: null };
    expect(missingFor(pick('approval', 'approved'), task, empty)).toBeUndefined();
    expect(missingFor(pick('approval', 'rejected'), task, empty)).toBeUndefined();
    expect(missingFor(pick('approval', 'edited'), task, empty)).toMatch(/text/);
    const choice = { ...task, options: ['a', 'b'] };
    expect(missingFor(pick('selection', 'selected'), choice, empty)).toMatch(/option/);
  });

  it('sends only what the decision means', () => {
    const draft = { content: 'mine', option: 'a' };
    expect(answerBody(pick('approval', 'approved'), task, draft)).toEqual({
      decision: 'approved',
      request_id: 'q1',
    });
    expect(answerBody(pick('approval', 'rejected'), task, draft)).toEqual({
      decision: 'rejected',
      request_id: 'q1',
      content: 'mine',
    });
    expect(answerBody(pick('selection', 'selected'), task, { ...draft, content: '' })).toEqual({
      decision: 'selected',
      request_id: 'q1',
      selected_option: 'a',
    });
  });

  it('says its exact effect beforehand', () => {
    const draft = { content: '', option: null };
    expect(effectOf(pick('approval', 'approved'), task, draft)).toMatch(/“the draft”\.$/);
    const said = { ...task, input_text: 'Money back.' };
    expect(effectOf(pick('approval', 'approved'), said, draft)).toMatch(/“Money back\.”$/);
    expect(effectOf(pick('approval', 'rejected'), task, { ...draft, content: 'no' })).toMatch(
      /Rejected by human reviewer.*“no”.*does not fail/,
    );
  });
});

describe('a deadline', () => {
  it('counts down and warns at five minutes and at one', () => {
    expect(countdown(1000, 400)).toEqual({ text: '10:00 left', tone: 'neutral' });
    expect(countdown(1000, 700.5)).toEqual({ text: '4:59 left', tone: 'warning' });
    expect(countdown(1000, 941)).toEqual({ text: '0:59 left', tone: 'danger' });
    expect(countdown(1000, 1000)).toEqual({ text: 'overdue', tone: 'danger' });
    expect(countdown(8000, 0).text).toBe('2:13:20 left');
    expect(countdown(200_000, 0).text).toBe('2 d left');
  });

  it('says what happens when it passes', () => {
    expect(timeoutText(task)).toMatch(/fails/);
    const goesOn = { ...task, on_timeout: 'continue', default_option: 'refund' };
    expect(timeoutText(goesOn)).toMatch(/“refund”/);
    expect(timeoutText({ ...task, on_timeout: 'escalate' })).toMatch(/escalated/);
  });
});
