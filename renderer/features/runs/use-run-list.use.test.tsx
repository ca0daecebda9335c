// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { RunFilters } from './run-filters.tsx';
import { useRunList } from './use-run-list.ts';

freshWindows();

const AT = '/dashboard/api/runs';
const page = (total: number) => ({
  ...{ rows: [], count: 0, total, limit: 100, offset: 0, window: 10_000 },
  ...{ unsupported_filters: [], status_counts: { completed: total, failed: 12 } },
});

function List(props: { readonly q?: string; readonly last: number }) {
  const filter = props.q === undefined ? {} : { q: props.q };
  const list = useRunList(filter, { first: props.last, last: props.last }, false);
  return (
    <>
      <RunFilters filter={filter} onChange={() => undefined} />
      <p data-testid="told">{`${list.total} ${list.more ? 'or more' : 'in all'}`}</p>
    </>
  );
}

/** How far the reads of the list, with and without a text, asked for a count. */
const countsAsked = (withText: boolean) => {
  const reads = peer.reads.map((read) => new URLSearchParams(read.split('?')[1]));
  return reads.filter((read) => read.has('q') === withText).map((read) => read.get('count_to'));
};

test('runs that hold a common text are counted no further than somebody looks', async () => {
  peer.answer('GET', AT, 200, page(300));
  mounted(<List q="order" last={20} />);
  await screen.findByText('300 or more');
  await screen.findByText('300+');
  expect(countsAsked(true)).toEqual(['300']);
});

test('a list that is scrolled to its end is counted as far as it can be shown', async () => {
  peer.answer('GET', AT, 200, page(4000));
  mounted(<List q="order" last={250} />);
  await screen.findByText('4000 in all');
  expect(countsAsked(true)).toContain('10000');
});

test('other filters count all, and say so', async () => {
  peer.answer('GET', AT, 200, page(300));
  mounted(<List last={20} />);
  await screen.findByText('300 in all');
  expect(screen.queryByText('300+')).toBeNull();
  expect(new Set(countsAsked(false))).toEqual(new Set([null]));
});
