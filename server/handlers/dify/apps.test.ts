import { afterAll, describe, expect, it } from 'vitest';
import { difyApp, rehearsedApp } from '../../../test/support/dify-apps.ts';
import { createRehearsals } from '../../cli/rehearse/run-rehearsal.ts';

const rehearsals = createRehearsals();
afterAll(() => rehearsals.close());

function app(name: string, input: object, pinned: Record<string, string> = {}) {
  return rehearsedApp(rehearsals, difyApp(name), { ...input }, pinned);
}

describe('an imported app of Dify runs', () => {
  it('a list item by item, with each round asking its model', async () => {
    const input = { article: 'one\n\ntwo\n\nthree\n\nfour' };
    const { last, order, error } = await app('summarise-chapters', input, { Summarise: 'short' });
    expect(error).toBeNull();
    expect(last['End']).toEqual({ summary: '1. short\n2. short\n3. short\n', count: 4 });
    expect(order.filter((name) => name === 'Summarise')).toHaveLength(3);
  });

  it('rounds in rounds, and drops those that give nothing', async () => {
    const { last } = await app('pick-the-best', { rows: 'apple,banana,cherry;fig;grape' });
    expect(last['End']).toEqual({ best: ['BANANA', 'GRAPE'] });
  });

  it('a loop with variables that its steps change, until its condition holds', async () => {
    const { last } = await app('guess-the-number', { limit: 50 });
    expect(last['End']).toEqual({ n: 64, seen: [1, 2, 4, 8, 16, 32], rounds: 6 });
  });

  it('branches side by side that join once', async () => {
    const answers = { Praise: 'good', Criticise: 'bad', Price: '5' };
    const { last, order } = await app('parallel-reviews', { idea: 'tea' }, answers);
    expect(last['End']).toEqual({ review: '+ good\n- bad\n$ 5' });
    expect(order).toEqual(['Start', 'Praise', 'Criticise', 'Price', 'Together', 'End']);
  });

  it('the way of a condition, and leaves the other one out', async () => {
    const short = await app('route-by-length', { text: 'a short one' });
    expect(short.last['End']).toEqual({ text: 'S:a short one', tone: 'formal' });
    expect(short.order).not.toContain('Long');
    const long = await app('route-by-length', { text: 'what goes on and on', tone: 'casual' });
    expect(long.last['End']).toEqual({ text: 'L:what...', tone: 'casual' });
  });

  it('the class that the model names, though its name holds another one', async () => {
    const answered = (name: string) =>
      app(
        'support-desk',
        { query: 'where?', plan: 'pro' },
        {
          Sort: name,
          'Status reply': 'on its way',
          'Refund reply': 'done',
        },
      );
    const status = await answered('refund status.');
    expect(status.last['Answer']).toEqual({ answer: 'on its way\n\n--\nplan: pro' });
    expect((await answered('Refund')).order).toContain('Refund reply');
    expect((await answered('something else')).order).toContain('Refund reply');
    const other = await answered('Other');
    expect(other.last['Answer']).toEqual({
      answer: 'We only do refunds (Other).\n\n--\nplan: pro',
    });
  });

  it('what a model found in a text, by its types', async () => {
    const found = '```json\n{"people": "4", "day": "2026-01-31", "wishes": ["window"]}\n```';
    const booked = await app('book-a-table', { query: 'x' }, { 'Read the wish': found });
    expect(booked.last['Booked']).toEqual({ answer: 'A table for 4 on 2026-01-31. ["window"]' });
    const none = await app('book-a-table', { query: 'x' }, { 'Read the wish': 'I do not know' });
    expect(none.last['Ask']).toEqual({ answer: 'For how many, and when?' });
    const many = await app('book-a-table', { query: 'x' }, { 'Read the wish': '{"people": 30}' });
    expect(many.last['Call us']).toEqual({ answer: 'Please call us.' });
  });

  it('a structured answer, read by its fields', async () => {
    const answer = '{"label": "cup", "tags": ["tea", "blue"]}';
    const { last } = await app('label-a-product', { description: 'x' }, { Label: answer });
    expect(last['End']).toEqual({ label: 'cup (tea, blue)' });
  });

  it('variables of the conversation', async () => {
    const { last } = await app('onboarding-chat', { query: 'Ann' });
    expect(last['Welcome']).toEqual({ answer: 'Nice to meet you, Ann!' });
  });

  it('and tells a field of its form that is missing or wrong', async () => {
    const missing = await app('weather-report', {});
    expect(missing.error).toEqual({ node: '开始', message: 'city is required in input form' });
    const wrong = await app('three-step-translation', { text: 'a', language: 'Latin' });
    expect(wrong.error?.message).toContain('must be one of: English, German, Japanese');
  });
});
