// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getPortability } from '../../../server/contract/studio/artifacts.ts';
import type { TrustView } from '../../../server/contract/studio/trust.ts';
import { freshWindows, memberOf, mounted, peer } from '../../../test/support/mounted.ts';
import { queryClient, routeKey } from '../../data/query-client.ts';
import { TrustDialog } from './trust-dialog.tsx';

freshWindows();

const AT = '/studio/api/projects/default/trust';
const FOLDER = '/home/ada/desk';

function dialog(view: TrustView) {
  peer.answer('GET', AT, 200, view);
  const onClose = vi.fn();
  return {
    user: mounted(<TrustDialog projectId="default" onClose={onClose} />, [memberOf('default')]),
    onClose,
  };
}

test('it names the folder and says what trust allows before it is given', async () => {
  const { user, onClose } = dialog({ state: 'untrusted', by: null, folder: FOLDER });
  await screen.findByText(FOLDER);
  screen.getByText('Trust this folder?');
  for (const term of ['Functions', 'Programs', 'Variables', 'Fenced']) screen.getByText(term);
  expect(screen.queryByTestId('trust-revoke')).toBeNull();
  peer.answer('PUT', AT, 200, { state: 'trusted', by: 'list', folder: FOLDER });
  await user.click(screen.getByTestId('trust-give'));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(peer.writes.map(({ method, path }) => `${method} ${path}`)).toEqual([`PUT ${AT}`]);
});

test('what the folder was refused before is asked again', async () => {
  const refused = routeKey(getPortability, {
    params: { project_id: 'default', artifact_id: 'one' },
  });
  queryClient.setQueryData(refused, { portable: false });
  const stage = ['studio', 'govern_stage', 'one', 'validate'];
  queryClient.setQueryData(stage, { ok: false });
  const { user, onClose } = dialog({ state: 'untrusted', by: null, folder: FOLDER });
  peer.answer('PUT', AT, 200, { state: 'trusted', by: 'list', folder: FOLDER });
  await user.click(await screen.findByTestId('trust-give'));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  for (const key of [refused, stage])
    expect(queryClient.getQueryState(key)?.isInvalidated, String(key)).toBe(true);
});

test('Escape and “Not now” trust nothing', async () => {
  const { user, onClose } = dialog({ state: 'untrusted', by: null, folder: FOLDER });
  await user.click(await screen.findByText('Not now'));
  expect(onClose).toHaveBeenCalledTimes(1);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(2);
  expect(peer.writes).toEqual([]);
});

test('a refusal is told, and the dialog stays', async () => {
  const { user, onClose } = dialog({ state: 'untrusted', by: null, folder: FOLDER });
  const error = { error: 'trust_unavailable', message: 'The studio is shared.' };
  peer.answer('PUT', AT, 409, { detail: error });
  await user.click(await screen.findByTestId('trust-give'));
  await screen.findByText('The answer was not kept');
  expect(onClose).not.toHaveBeenCalled();
});

test('trust from the list is taken back; trust of a start and of a shared studio is not', async () => {
  const { user, onClose } = dialog({ state: 'trusted', by: 'list', folder: FOLDER });
  peer.answer('DELETE', AT, 200, { state: 'untrusted', by: null, folder: FOLDER });
  await user.click(await screen.findByTestId('trust-revoke'));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(peer.writes.map(({ method }) => method)).toEqual(['DELETE']);
});

test.each<[string, TrustView, RegExp]>([
  ['given with --trust', { state: 'trusted', by: 'start', folder: FOLDER }, /Given with --trust/],
  ['unavailable', { state: 'unavailable', by: null, folder: null }, /never in a shared studio/],
])('%s: there is nothing to decide, and why', async (_what, view, words) => {
  dialog(view);
  await screen.findByText(words);
  expect(screen.queryByTestId('trust-give')).toBeNull();
  expect(screen.queryByTestId('trust-revoke')).toBeNull();
});
