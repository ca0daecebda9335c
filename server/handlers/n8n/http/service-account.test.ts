import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { startServicePeer } from '../../../../test/support/service-peer.ts';
import { Credential } from '../../../contract/credentials.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const parameters = {
  ...{ operation: 'remove', authentication: 'serviceAccount' },
  documentId: { __rl: true, mode: 'id', value: 'doc' },
  sheetName: { __rl: true, mode: 'name', value: 'S' },
};
const sheets = { json: { sheets: [{ properties: { sheetId: 1, title: 'S' } }] } };

it.each([
  ['as its file has it', pem],
  ['as a JSON text has it', pem.replaceAll('\n', '\\n')],
  ['as a form of one line has it', pem.replaceAll('\n', ' ')],
])('a service account asks for a token with its key %s', async (_, key) => {
  const credential = Credential.parse({
    ...{ kind: 'service_account', email: 'bot@example.com', private_key: key },
    subject: 'ann@example.com',
  });
  const answers = [{ json: { access_token: 'the-token-of-the-bot' } }, sheets, { json: {} }];
  const of = { type: 'googleSheets', version: 4.5, parameters, credential, answers };
  const { asked, failed } = await peer.run(of);
  expect(failed).toBeUndefined();
  expect(asked[0]?.call).toBe('POST https://oauth2.googleapis.com/token');
  const form = new URLSearchParams(String(asked[0]?.body));
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [head = '', claims = '', signature = ''] = form.get('assertion')?.split('.') ?? [];
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    ...{ iss: 'bot@example.com', sub: 'ann@example.com' },
    ...{ aud: 'https://oauth2.googleapis.com/token', iat: 1769878800, exp: 1769882400 },
    scope: expect.stringContaining('https://www.googleapis.com/auth/spreadsheets'),
  });
  const said = Buffer.from(`${head}.${claims}`);
  const signed = Buffer.from(signature, 'base64url');
  expect(verify('RSA-SHA256', said, createPublicKey(privateKey), signed)).toBe(true);
  expect(asked[1]?.headers['authorization']).toBe('Bearer the-token-of-the-bot');
});

it('a key that is none is told, and nothing is asked', async () => {
  const credential = Credential.parse({
    ...{ kind: 'service_account', email: 'bot@example.com', private_key: 'no key' },
  });
  const of = { type: 'googleSheets', version: 4.5, parameters, credential, answers: [] };
  const { asked, failed } = await peer.run(of);
  expect(asked).toEqual([]);
  expect(failed).toContain('private key in PEM');
});
