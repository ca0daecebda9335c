// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { freshWindows, mounted } from '../../../test/support/mounted.ts';
import type { RunFilter } from './run-filter-model.ts';
import { RunFilters } from './run-filters.tsx';

freshWindows();

function filters(first: RunFilter = {}) {
  const told: RunFilter[] = [];
  function Page() {
    const [filter, setFilter] = useState(first);
    const change = (next: RunFilter): void => {
      told.push(next);
      setFilter(next);
    };
    return <RunFilters filter={filter} onChange={change} />;
  }
  return { user: mounted(<Page />), told };
}

const search = () => screen.getByLabelText<HTMLInputElement>('Search runs');

test('`/` goes to the search; what is typed is asked for once, after a pause', async () => {
  const { user, told } = filters();
  await user.keyboard('/');
  expect(document.activeElement).toBe(search());
  await user.keyboard(' parcel/7 ');
  expect(search().value).toBe(' parcel/7 ');
  expect(told).toEqual([]);
  await waitFor(() => expect(told).toEqual([{ q: 'parcel/7' }]));
});

test('each facet adds to the others, and Clear takes all away', async () => {
  const { user, told } = filters({ q: 'parcel' });
  await user.click(screen.getByLabelText('with error'));
  await user.click(await screen.findByLabelText('failed', {}, { timeout: 20_000 }));
  await user.selectOptions(screen.getByLabelText('Kind'), 'agent');
  expect(told.at(-1)).toEqual({ q: 'parcel', errors: true, status: 'failed', kind: 'agent' });
  await user.click(screen.getByLabelText('with error'));
  expect(told.at(-1)).toMatchObject({ errors: undefined, status: 'failed' });
  await user.click(screen.getByText('Clear'));
  expect(told.at(-1)).toEqual({});
  await waitFor(() => expect(search().value).toBe(''));
  expect(screen.queryByText('Clear')).toBeNull();
});

test('what is being typed stays when another facet changes', async () => {
  const { user } = filters({ q: 'one', status: 'failed' });
  await user.click(search());
  await user.keyboard('2');
  await user.selectOptions(screen.getByLabelText('Kind'), 'agent');
  expect(search().value).toBe('one2');
});
