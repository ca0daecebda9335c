// @vitest-environment happy-dom

import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listSavedFilters } from '../../../server/contract/dashboard/saved-filters.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { routeQuery } from '../../data/query-client.ts';
import { SavedFilterDialog } from './saved-filter-dialog.tsx';

freshWindows();

const LIST = '/dashboard/api/saved-filters';
const saved = (name: string, version: number, filters: object) => ({
  ...{ id: 'f1', name, filters, version, created_by: 'ada' },
  ...{ created_at: '2026-11-21T08:00:00Z', updated_at: '2026-11-21T08:00:00Z' },
});

function Page() {
  const { data } = useQuery(routeQuery(listSavedFilters));
  return (
    <SavedFilterDialog list={data ?? []} shown={{ status: 'failed' }} onClose={() => undefined} />
  );
}

test('a filter that somebody else changed is stored only after both were shown', async () => {
  peer.answer('GET', LIST, 200, [saved('Jams', 1, { q: 'jam' })]);
  const user = mounted(<Page />);
  const name = await screen.findByLabelText<HTMLInputElement>('Name of Jams');
  await user.clear(name);
  await user.type(name, 'Paper');
  peer.answer('PUT', `${LIST}/f1`, 409, {
    ...{ code: 'dashboard_state_conflict', message: 'Changed meanwhile.', request_id: 'bff-1' },
  });
  peer.answer('GET', LIST, 200, [saved('Jams of today', 2, { q: 'jam', since: '24h' })]);
  await user.type(name, '{Enter}');
  const conflict = await screen.findByTestId('filter-conflict');
  await waitFor(() =>
    expect(conflict.textContent).toContain('“Jams of today”: last 24h, search jam'),
  );
  expect(conflict.textContent).toContain('“Paper”: search jam');
  peer.answer('PUT', `${LIST}/f1`, 200, saved('Paper', 3, { q: 'jam' }));
  peer.answer('GET', LIST, 200, [saved('Paper', 3, { q: 'jam' })]);
  await user.click(screen.getByTestId('filter-mine'));
  await waitFor(() => expect(screen.queryByTestId('filter-conflict')).toBeNull());
  expect(peer.writes.map(({ body }) => body)).toEqual([
    { name: 'Paper', filters: { q: 'jam' }, version: 1 },
    { name: 'Paper', filters: { q: 'jam' }, version: 2 },
  ]);
});

test('a filter is given what the list shows now', async () => {
  peer.answer('GET', LIST, 200, [saved('Jams', 1, { q: 'jam' })]);
  const user = mounted(<Page />);
  peer.answer('PUT', `${LIST}/f1`, 200, saved('Jams', 2, { status: 'failed' }));
  await user.click(await screen.findByLabelText('Give Jams what the list shows now'));
  await waitFor(() =>
    expect(peer.writes.map(({ body }) => body)).toEqual([
      { name: 'Jams', filters: { status: 'failed' }, version: 1 },
    ]),
  );
});
