// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { useOperatorEntries } from './audit-queries.ts';

freshWindows();

const LOG = '/dashboard/api/audit-log';
const PAGE = 100;
const reads = () => peer.reads.filter((url) => url.startsWith(LOG)).length;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const ENTRIES = Array.from({ length: PAGE }, (_, at) => ({
  ...{ id: `e${at}`, operator: 'ada', action: 'launch.run', target: null, environment: null },
  ...{ outcome: 'ok', created_at: '2026-11-21T12:00:00Z' },
}));

/** Reads on for as long as it may, as a page does that looks for words which few entries have. */
function Entries() {
  const { query, rows, readOn } = useOperatorEntries({});
  useEffect(readOn, [readOn]);
  return <p data-testid="entries">{`${query.status} ${rows.length}`}</p>;
}

const says = (text: string) =>
  waitFor(() => expect(screen.getByTestId('entries').textContent).toBe(text));

test('a page that fails is not asked for again at once, and what was read stays', async () => {
  peer.answer('GET', LOG, 200, { entries: ENTRIES });
  mounted(<Entries />);
  await says('success 100');
  peer.answer('GET', LOG, 500, { code: 'internal_error', message: 'broken' });
  await says('error 100');
  const before = reads();
  await pause(1_500);
  expect(reads()).toBe(before);
});
