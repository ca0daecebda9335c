import { expect, test } from 'vitest';
import { drawn } from '../../../test/support/drawn.ts';
import type { RunFilter } from './run-filter-model.ts';
import { RunFilters } from './run-filters.tsx';

const filters = (filter: RunFilter) =>
  drawn(<RunFilters filter={filter} onChange={() => undefined} />);

/** What each chosen entry of a list, and each marked chip, stands for. */
const chosen = ({ html }: { html: string }) => [
  ...[...html.matchAll(/<option value="([^"]+)" selected/g)].map(([, value]) => value),
  ...[...html.matchAll(/<input[^>]*checked=""[^>]*>/g)].map(
    ([tag]) => /value="(\w+)"/.exec(tag)?.[1],
  ),
];

test('without a filter every run is asked for, and there is nothing to clear', () => {
  const page = filters({});
  expect(page.text).not.toContain('Clear');
  expect(chosen(page)).toEqual(['all']);
});

test('what the filter says stands in its controls, and can be cleared', () => {
  const page = filters({ status: 'failed', errors: true, q: 'parcel', kind: 'agent' });
  expect(page.text).toContain('Clear');
  expect(page.tags('aria-label="Search runs"')[0]).toContain('value="parcel"');
  expect(chosen(page)).toEqual(expect.arrayContaining(['agent', 'failed']));
  expect(page.tags('type="checkbox"').map((tag) => tag.includes('checked=""'))).toEqual([
    true,
    false,
  ]);
});

test('the environment cannot be asked for, and the field says why', () => {
  const [field] = filters({}).tags('aria-label="Environment"');
  expect(field).toMatch(/\sdisabled/);
  expect(field).toContain('has no filter for the environment');
});

test('a bound from elsewhere is shown and can be taken away', () => {
  expect(filters({}).text).not.toContain('before');
  expect(filters({ until: '2026-11-21T12:00:00Z' }).text).toContain('before 11/21/2026');
});
