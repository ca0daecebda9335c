import { expect, test } from 'vitest';
import type { Route } from '../../../server/contract/route.ts';
import { activityQuery, activityText, NO_FILTER } from './activity-model.ts';
import { actionText, factText, mainFact } from './activity-words.ts';

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'service' in value && 'meta' in value;
const ACTIONS = Object.values(
  import.meta.glob<Record<string, unknown>>('../../../server/contract/studio/*.ts', {
    eager: true,
  }),
)
  .flatMap((module) => Object.values(module).filter(isRoute))
  .flatMap(({ meta }) => (typeof meta['audit'] === 'string' ? [meta['audit']] : []));

const nameOf = (id: string) => (id === 'p1' ? 'Ada' : id);

test('every action that the studio audits has words of its own', () => {
  const made = (action: string) =>
    `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll('_', ' ')}`;
  expect(ACTIONS.length).toBeGreaterThan(30);
  const bare = [...new Set(ACTIONS)].filter((action) => actionText(action) === made(action));
  expect(bare).toEqual([]);
  expect(actionText('host.something_new')).toBe('Something new');
});

test('a row is about its file, its person or the reason why it is held', () => {
  expect(mainFact({ ref: 'a.yaml', revision: 'f' }, nameOf)).toBe('a.yaml');
  expect(mainFact({ member: 'p1', role: 'editor' }, nameOf)).toBe('Ada, editor');
  expect(mainFact({ invitation_id: 'i', reason: 'root_changed' }, nameOf)).toContain('folder');
  expect(mainFact({}, nameOf)).toBe('');
  expect(factText('files', ['a'], nameOf)).toBe('["a"]');
});

test('a filter asks for what it says, from that many hours ago', () => {
  expect(activityQuery(NO_FILTER, 0)).toEqual({});
  const filter = { actor: 'p1', action: 'save_draft', outcome: 'denied', hours: '1' } as const;
  expect(activityQuery(filter, 3_600_000)).toEqual({
    actor: 'p1',
    action: 'save_draft',
    outcome: 'denied',
    since: '1970-01-01T00:00:00.000Z',
  });
});

test('a file holds every row with the names of its people; a formula stays text', async () => {
  const entry = {
    id: 3,
    at: '2026-11-21T00:00:00.000000+00:00',
    action: 'save_draft',
    principal_id: 'p1',
    outcome: 'allowed',
    run_id: '=1+1',
    detail: { ref: 'a.yaml' },
  } as const;
  const csv = await activityText([entry], nameOf, 'csv');
  expect(csv).toContain('3,2026-11-21T00:00:00.000000+00:00,Ada,p1,save_draft,allowed');
  expect(csv).toContain("'=1+1");
  const lines = await activityText([entry, entry], nameOf, 'jsonl');
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).display_name),
  ).toEqual(['Ada', 'Ada']);
});
