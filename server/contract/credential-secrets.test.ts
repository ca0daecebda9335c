import { expect, test } from 'vitest';
import {
  credentialFieldsOf,
  credentialSecretName,
  credentialText,
  readCredential,
} from './credentials.ts';
import { modelKeyBody, modelKeyName } from './gateway/model-keys.ts';

test.each([
  ['httpHeaderAuth', 'My account'],
  ['httpHeaderAuth', 'my-account'],
  ['httpHeaderAuth', 'MY ACCOUNT'],
  ['httpHeaderAuth', ''],
  ['httpHeaderAuth', 'Ключ 🔑'],
  ['x'.repeat(500), 'y'.repeat(500)],
])('%s %s has a name that a key may have', (type, name) => {
  expect(modelKeyName.safeParse(credentialSecretName(type, name)).success).toBe(true);
});

test('names tell what they are of, and different credentials never share one', () => {
  const name = credentialSecretName('httpHeaderAuth', 'My account');
  expect(name).toMatch(/^CRED_HTTPHEADERAUTH_MY_ACCOUNT_[0-9A-F]{12}$/);
  const others = ['my account', 'My  account', 'My_account', 'My account ', ''];
  const names = others.map((other) => credentialSecretName('httpHeaderAuth', other));
  names.push(credentialSecretName('httpHeaderAuthMy', 'account'));
  expect(new Set([name, ...names]).size).toBe(names.length + 1);
});

test('a credential is stored as one line that a key may be, and comes back as it was', () => {
  const credential = { kind: 'header', name: 'X-Ключ', value: 'ä\n"\\🔑' } as const;
  const text = credentialText(credential);
  expect(modelKeyBody.parse({ key: text })).toEqual({ key: text });
  expect(readCredential(text)).toEqual(credential);
});

test.each(['', 'no JSON', '{}', '{"kind":"header","name":"x"}', '{"kind":"bearer","token":""}'])(
  '%s is no credential',
  (text) => expect(readCredential(text)).toBeUndefined(),
);

test('a form asks for the fields of a kind: which are secret, may stay empty or are chosen', () => {
  expect(credentialFieldsOf('oauth2_refresh').map((field) => Object.values(field))).toEqual([
    ['token_url', false, false, undefined],
    ['client_id', false, false, undefined],
    ['client_secret', true, true, undefined],
    ['refresh_token', true, false, undefined],
    ['scope', false, true, undefined],
    ['sent_in', false, true, ['header', 'body']],
    ['server', false, true, undefined],
    ['hosts', false, true, undefined],
  ]);
});
