// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  credentialKindsOf,
  credentialSecretName,
  readCredential,
} from '../../../../server/contract/credentials.ts';
import { type ModelKey, modelKeyBody } from '../../../../server/contract/gateway/model-keys.ts';
import type { CredentialNeed } from '../../../../server/spec/reports/credential-needs.ts';
import { freshWindows, mounted, peer } from '../../../../test/support/mounted.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';

freshWindows();

const SECRET = 'plain-looking-words-of-a-token';

function need(type: string): CredentialNeed {
  return {
    type,
    name: 'Desk',
    kinds: credentialKindsOf(type),
    secret: credentialSecretName(type, 'Desk'),
    steps: [
      { name: 'Ask', path: 'metadata.flow.steps.ask' },
      { name: 'Send', path: 'metadata.flow.steps.send' },
    ],
  };
}

function listed(names: readonly string[], here = true): void {
  const keys = names.map(
    (name): ModelKey => ({
      ...{ name, provider: null, kept_in: 'file', stored_at: '2026-11-21T08:00:00Z' },
      in_environment: false,
    }),
  );
  peer.answer('GET', '/gateway/model-keys', 200, { here, keeper: 'file', keys });
}

/** The text of the first key that was stored. */
function storedText(): string {
  const [write] = peer.writes;
  return modelKeyBody.parse(write?.body).key;
}

const nothing = (): void => undefined;

function shown(needs: readonly CredentialNeed[]) {
  return mounted(<CredentialsDialog needs={needs} onClose={nothing} onChanged={nothing} />);
}

test('a credential is bound by keyboard: typed hidden, stored as one text, gone from the window', async () => {
  const header = need('httpHeaderAuth');
  listed([]);
  const user = shown([header]);
  await screen.findByText('not bound');
  expect(screen.getByText('Ask, Send')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Bind… Desk (httpHeaderAuth)' }));
  const value = await screen.findByTestId<HTMLInputElement>('credential-value');
  expect(value.type).toBe('password');
  expect(screen.queryByTestId('credential-kind')).toBeNull();
  await user.type(screen.getByTestId('credential-name'), 'X-Api-Key');
  expect(screen.getByTestId<HTMLButtonElement>('credential-submit').disabled).toBe(true);
  const path = `/gateway/model-keys/${header.secret}`;
  peer.answer('PUT', path, 200, {
    ...{ name: header.secret, provider: null, kept_in: 'file' },
    ...{ stored_at: '2026-11-21T08:00:00Z', in_environment: false },
  });
  await user.type(value, SECRET);
  listed([header.secret]);
  await user.keyboard('{Enter}');
  await screen.findByText('bound');
  const [write] = peer.writes;
  expect(write).toMatchObject({ method: 'PUT', path });
  expect(readCredential(storedText())).toEqual({
    kind: 'header',
    name: 'X-Api-Key',
    value: SECRET,
  });
  expect(document.documentElement.outerHTML).not.toContain(SECRET);
});

test('a kind is chosen where several fit; a wrong address is told; a refusal keeps what was typed', async () => {
  const oauth = need('oAuth2Api');
  listed([]);
  const user = shown([oauth]);
  await user.click(await screen.findByRole('button', { name: 'Bind… Desk (oAuth2Api)' }));
  await user.selectOptions(await screen.findByTestId('credential-kind'), 'oauth2_refresh');
  await user.type(screen.getByTestId('credential-token_url'), 'nowhere');
  await screen.findByText('This is not the address of a server');
  await user.clear(screen.getByTestId('credential-token_url'));
  await user.type(screen.getByTestId('credential-token_url'), 'https://id.example/token');
  await user.type(screen.getByTestId('credential-client_id'), 'desk');
  await user.type(screen.getByTestId('credential-refresh_token'), SECRET);
  await user.selectOptions(screen.getByTestId('credential-sent_in'), 'body');
  const error = { error: 'keys_not_here', message: 'Keys are set there.' };
  peer.answer('PUT', `/gateway/model-keys/${oauth.secret}`, 409, { detail: error });
  await user.click(screen.getByTestId('credential-submit'));
  await screen.findByText('The credential was not stored');
  expect(screen.getByTestId<HTMLInputElement>('credential-refresh_token').value).toBe(SECRET);
  expect(readCredential(storedText())).toMatchObject({
    kind: 'oauth2_refresh',
    sent_in: 'body',
  });
});

test('a mail server is bound with its port and without a choice of kinds', async () => {
  const smtp = need('smtp');
  listed([]);
  const user = shown([smtp]);
  await user.click(await screen.findByRole('button', { name: 'Bind… Desk (smtp)' }));
  await user.type(await screen.findByTestId('credential-host'), 'mail.example.com');
  expect(screen.queryByTestId('credential-kind')).toBeNull();
  await user.type(screen.getByTestId('credential-port'), 'many');
  await screen.findByText('A number, such as 465');
  await user.clear(screen.getByTestId('credential-port'));
  await user.type(screen.getByTestId('credential-port'), '587');
  await user.selectOptions(screen.getByTestId('credential-secure'), 'starttls');
  await user.type(screen.getByTestId('credential-password'), SECRET);
  peer.answer('PUT', `/gateway/model-keys/${smtp.secret}`, 409, {
    detail: { error: 'keys_not_here', message: 'Keys are set there.' },
  });
  await user.click(screen.getByTestId('credential-submit'));
  await screen.findByText('The credential was not stored');
  expect(readCredential(storedText())).toEqual({
    ...{ kind: 'smtp', host: 'mail.example.com', port: '587', secure: 'starttls' },
    ...{ user: '', password: SECRET },
  });
});

test('a binding is removed only after the question', async () => {
  const bearer = need('httpBearerAuth');
  listed([bearer.secret]);
  peer.answer('DELETE', `/gateway/model-keys/${bearer.secret}`, 204, undefined);
  const user = shown([bearer]);
  await user.click(await screen.findByRole('button', { name: /^Remove/ }));
  await user.click(await screen.findByText('Cancel'));
  expect(peer.writes).toEqual([]);
  await user.click(await screen.findByRole('button', { name: /^Remove/ }));
  listed([]);
  await user.click(await screen.findByTestId('credential-remove-submit'));
  await screen.findByText('not bound');
  expect(peer.writes.map(({ method }) => method)).toEqual(['DELETE']);
});

test('a remote connection names the secrets and offers no change; without needs it says so', async () => {
  const bearer = need('httpBearerAuth');
  listed([], false);
  shown([bearer]);
  await screen.findByTestId('credentials-elsewhere');
  expect(screen.getByText(bearer.secret)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Bind/ })).toBeNull();
});

test('a draft that needs none says so', async () => {
  listed([]);
  shown([]);
  await screen.findByText('This draft needs no credentials');
});

test('keys that cannot be read are an error with a way on', async () => {
  peer.answer('GET', '/gateway/model-keys', 400, { detail: { error: 'bad', message: 'No.' } });
  shown([need('httpBearerAuth')]);
  await screen.findByText('Try again');
});

test('one that was asked for is bound at once, and closing leads back', async () => {
  const header = need('httpHeaderAuth');
  listed([]);
  const onClose = vi.fn();
  const needs = [need('httpBasicAuth'), header];
  const user = mounted(
    <CredentialsDialog needs={needs} asked={header} onClose={onClose} onChanged={nothing} />,
  );
  await screen.findByText('Bind Desk (httpHeaderAuth)');
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});
