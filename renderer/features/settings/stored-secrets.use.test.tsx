// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SecretList } from '../../../server/contract/gateway/secrets.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { StoredSecrets } from './stored-secrets.tsx';

freshWindows();

const PLACES: SecretList['places'] = {
  ...{ keychain: 'open', file: 'open', fault: null, has_passphrase: false, next: 'keychain' },
};
const SECRET: SecretList['secrets'][number] = {
  ...{ name: 'OPENAI_API_KEY', use: 'model', kept_in: 'keychain', state: 'ready' },
  ...{ stored_at: '2026-11-21T08:00:00Z', second_copy: false },
};
const PASSPHRASE = 'correct horse battery';

function listed(places: Partial<SecretList['places']>, secret: Partial<typeof SECRET> = {}): void {
  const secrets = [{ ...SECRET, ...secret }];
  peer.answer('GET', '/gateway/secrets', 200, { places: { ...PLACES, ...places }, secrets });
}

test('a secret is moved, and one that stays says why', async () => {
  listed({});
  const user = mounted(<StoredSecrets />);
  const stays = { code: 'keychain_locked', message: 'The keychain is locked. Unlock it.' };
  const results = [{ name: SECRET.name, error: stays }];
  peer.answer('POST', '/gateway/secrets/move', 200, { results });
  await user.click(await screen.findByTestId('move-OPENAI_API_KEY'));
  const said = await screen.findByTestId('secrets-stayed');
  expect(said.textContent).toContain('OPENAI_API_KEY stayed where it was. The keychain is locked.');
  peer.answer('POST', '/gateway/secrets/move', 200, { results: [{ ...results[0], error: null }] });
  listed({}, { kept_in: 'file' });
  await user.click(screen.getByTestId('move-OPENAI_API_KEY'));
  await waitFor(() => expect(screen.queryByTestId('secrets-stayed')).toBeNull());
  await screen.findByText('Move to the keychain');
  expect(peer.writes[0]?.body).toEqual({ names: ['OPENAI_API_KEY'], to: 'file' });
});

test('a locked keychain says what that means and is unlocked by one button', async () => {
  listed({ keychain: 'locked' }, { state: 'locked' });
  const user = mounted(<StoredSecrets />);
  await screen.findByText(/Runs that need what is in it fail until it is unlocked/);
  expect(screen.queryByTestId('move-OPENAI_API_KEY')).toBeNull();
  const error = { code: 'keychain_locked', message: 'Unlock it first.' };
  peer.answer('POST', '/gateway/secrets/keychain/unlock', 409, error);
  await user.click(screen.getByTestId('unlock-keychain'));
  await screen.findByText('The keychain is still locked');
  peer.answer('POST', '/gateway/secrets/keychain/unlock', 200, PLACES);
  listed({});
  await user.click(screen.getByTestId('unlock-keychain'));
  await screen.findByTestId('move-OPENAI_API_KEY');
});

test('a passphrase is set once both fields agree, and is gone from the window', async () => {
  listed({ keychain: 'absent' }, { kept_in: 'file' });
  const user = mounted(<StoredSecrets />);
  await user.click(await screen.findByTestId('passphrase-set'));
  const submit = () => screen.getByTestId<HTMLButtonElement>('passphrase-submit');
  await user.type(await screen.findByTestId('passphrase-new'), PASSPHRASE);
  await user.type(screen.getByTestId('passphrase-again'), 'correct');
  await screen.findByText('The two are not the same.');
  expect(submit().disabled).toBe(true);
  await user.type(screen.getByTestId('passphrase-again'), PASSPHRASE.slice(7));
  peer.answer('PUT', '/gateway/secrets/file/passphrase', 200, { ...PLACES, has_passphrase: true });
  listed({ has_passphrase: true }, { kept_in: 'file' });
  await user.click(submit());
  await screen.findByTestId('lock-file');
  await waitFor(() => expect(screen.queryByTestId('passphrase-submit')).toBeNull());
  expect(peer.writes.at(-1)?.body).toEqual({ passphrase: PASSPHRASE });
  expect(document.documentElement.outerHTML).not.toContain(PASSPHRASE);
});

test('a wrong passphrase keeps the dialog, and the file locked', async () => {
  listed({ file: 'locked', has_passphrase: true }, { kept_in: 'file', state: 'locked' });
  const user = mounted(<StoredSecrets />);
  await user.click(await screen.findByTestId('passphrase-unlock'));
  const error = { code: 'passphrase_wrong', message: 'This is not the passphrase.' };
  peer.answer('POST', '/gateway/secrets/file/unlock', 403, error);
  await user.type(await screen.findByTestId('passphrase-current'), 'wrong{Enter}');
  await screen.findByText('The file stays locked');
  expect(screen.getByTestId<HTMLInputElement>('passphrase-current').value).toBe('wrong');
});

test('a file of secrets that cannot be read is no empty one', async () => {
  peer.answer('GET', '/gateway/secrets', 200, {
    places: { ...PLACES, fault: 'newer' },
    secrets: [],
  });
  mounted(<StoredSecrets />);
  const said = await screen.findByTestId('secrets-fault');
  expect(said.textContent).toContain('A later version of Specwright wrote the file of secrets.');
  expect(screen.queryByTestId('no-secrets')).toBeNull();
});

test('a file that is still open after Lock says so', async () => {
  listed({ has_passphrase: true }, { kept_in: 'file' });
  const user = mounted(<StoredSecrets />);
  const error = { code: 'internal_error', message: 'The gateway failed.' };
  peer.answer('POST', '/gateway/secrets/file/lock', 500, error);
  await user.click(await screen.findByTestId('lock-file'));
  await screen.findByText('The encrypted file is still open');
});
