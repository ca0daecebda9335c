// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ModelKey } from '../../../server/contract/gateway/model-keys.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { ModelKeys } from './model-keys.tsx';

freshWindows();

const KEY: ModelKey = {
  ...{ name: 'OPENAI_API_KEY', provider: 'openai', kept_in: null, stored_at: null },
  in_environment: false,
};
const STORED: ModelKey = { ...KEY, kept_in: 'file', stored_at: '2026-11-21T08:00:00Z' };
const SECRET = 'plain-looking-words-of-a-key';

function listed(key: ModelKey): void {
  peer.answer('GET', '/gateway/model-keys', 200, { here: true, keeper: 'file', keys: [key] });
}

test('a key is typed hidden, stored, and gone from the window', async () => {
  listed(KEY);
  const user = mounted(<ModelKeys />);
  await user.click(await screen.findByTestId('key-set-OPENAI_API_KEY'));
  const field = await screen.findByTestId<HTMLInputElement>('key-value');
  expect(field.type).toBe('password');
  expect(screen.getByTestId<HTMLButtonElement>('key-submit').disabled).toBe(true);
  peer.answer('PUT', '/gateway/model-keys/OPENAI_API_KEY', 200, STORED);
  await user.type(field, SECRET);
  listed(STORED);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByTestId('key-dialog')).toBeNull());
  await screen.findByText('stored');
  expect(peer.writes).toEqual([
    { method: 'PUT', path: '/gateway/model-keys/OPENAI_API_KEY', body: { key: SECRET } },
  ]);
  expect(document.documentElement.outerHTML).not.toContain(SECRET);
});

test('a key that is refused says why and keeps what was typed', async () => {
  listed(KEY);
  const user = mounted(<ModelKeys />);
  await user.click(await screen.findByTestId('key-other'));
  const error = { error: 'invalid_request', message: 'No spec can name this.' };
  peer.answer('PUT', '/gateway/model-keys/SERV_API_KEY', 422, { detail: error });
  await user.type(await screen.findByTestId('key-name'), 'serv_api_key');
  await user.type(screen.getByTestId('key-value'), SECRET);
  await user.click(screen.getByTestId('key-submit'));
  await screen.findByText('The key was not stored');
  expect(screen.getByTestId<HTMLInputElement>('key-name').value).toBe('SERV_API_KEY');
  expect(screen.getByTestId<HTMLInputElement>('key-value').value).toBe(SECRET);
});

test('a key is removed only after the question', async () => {
  listed(STORED);
  peer.answer('DELETE', '/gateway/model-keys/OPENAI_API_KEY', 204, undefined);
  const user = mounted(<ModelKeys />);
  await user.click(await screen.findByTestId('key-remove-OPENAI_API_KEY'));
  await user.click(await screen.findByText('Keep it'));
  expect(peer.writes).toEqual([]);
  await user.click(screen.getByTestId('key-remove-OPENAI_API_KEY'));
  listed(KEY);
  await user.click(await screen.findByText('Remove key'));
  await screen.findByText('no key');
  expect(peer.writes.map(({ method }) => method)).toEqual(['DELETE']);
});
