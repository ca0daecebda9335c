import { describe, expect, test } from 'vitest';
import type { StandIn } from '../spec-protocol.ts';
import {
  itemsIn,
  needsIn,
  proposed,
  readKept,
  rehearsalWith,
  sentOf,
  withReadField,
} from './rehearsal-model.ts';

const part = (key: string, more: Partial<StandIn> = {}): StandIn => ({
  ...{ kind: 'step', key, name: `The ${key}`, runs: 'function', reads: [] },
  places: [`components.functions.${key}`],
  ...more,
});
const PARTS = [
  part('sms'),
  part('mail', { places: ['metadata.flow.steps.mail'] }),
  part('fine'),
  part('lookup', { kind: 'tool', runs: 'tool', places: ['tools.lookup'] }),
];
const FINDINGS = [
  { code: 'E_HANDLER_NOT_FOUND', path: 'components.functions.sms.implementation' },
  { code: 'E_HANDLER_NOT_FOUND', path: 'tools.lookup.implementation' },
  { code: 'W_CREDENTIAL_UNBOUND', path: 'metadata.flow.steps.mail.credentials.smtp' },
  { code: 'W_SOMETHING', path: 'components.functions.fine' },
];
const PINNED = { sms: [{ sid: 1 }, { sid: 2 }] };

describe('what a rehearsal asks', () => {
  test('lists what cannot run and says why; what runs is for the author to add', () => {
    const { needs, others } = needsIn(PARTS, FINDINGS, PINNED, {});
    expect(needs.map(({ part: { key }, why, blocking }) => [key, why, blocking])).toEqual([
      ['sms', 'no code', true],
      ['mail', 'credential not bound', false],
      ['lookup', 'no code', true],
    ]);
    expect(others.map(({ part: { key } }) => key)).toEqual(['fine']);
    expect(needs.map((need) => proposed(need).choice)).toEqual(['pinned', 'run', 'mocked']);
  });

  test('sends what is pinned, stated or recorded, and says what is wrong', () => {
    const { needs } = needsIn(PARTS, FINDINGS, PINNED, {});
    expect(rehearsalWith(needs, {})).toEqual({
      steps: { sms: { by: 'pinned', items: PINNED.sms } },
      tools: { lookup: { by: 'mocked', items: [{}] } },
    });
    const said = (choice: 'mocked' | 'recorded', text: string, recording = '') => ({
      'tool:lookup': { choice, text, recording },
    });
    expect(rehearsalWith(needs, said('mocked', '[1]'))).toContain('The lookup: Write one JSON');
    expect(rehearsalWith(needs, said('recorded', '', 'desk'))).toMatchObject({
      tools: { lookup: { by: 'recorded', recording: 'desk' } },
    });
    expect(rehearsalWith(needs, said('recorded', ''))).toContain('Name a recording');
    const long = JSON.stringify({ text: 'x'.repeat(31_000) });
    expect(rehearsalWith(needs, said('mocked', long))).toContain('state fewer items');
  });

  test('large pinned data is cut to what can be sent', () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ n, text: 'x'.repeat(500) }));
    expect(sentOf(many)).toHaveLength(15);
    expect(sentOf([{ text: 'x'.repeat(9_000) }])).toHaveLength(1);
  });

  test('fields that later steps read complete stated items', () => {
    const text = withReadField('[{"a": 1}, {}]', ['body', 'email']);
    expect(itemsIn(text)).toEqual([{ a: 1, body: { email: '' } }, { body: { email: '' } }]);
    expect(itemsIn(withReadField('nonsense', ['a']))).toEqual([{ a: '' }]);
    expect(itemsIn(withReadField('{"a": 2}', ['a']))).toEqual([{ a: 2 }]);
  });

  test('what was kept and cannot be read counts for nothing', () => {
    expect(readKept('{"on": 1}')).toEqual({ on: false, answers: {} });
    expect(readKept(null).on).toBe(false);
  });
});
