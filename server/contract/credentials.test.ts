import { describe, expect, it } from 'vitest';
import { CREDENTIAL_KINDS, Credential, credentialKindsOf, secretsOf } from './credentials.ts';

describe('credentials', () => {
  it('of a general type have its kind, those of a vendor any that HTTP carries', () => {
    expect(credentialKindsOf('httpBasicAuth')).toEqual(['basic']);
    expect(credentialKindsOf('slackApi')).toEqual(
      CREDENTIAL_KINDS.filter((kind) => !['service_account', 'smtp', 'database'].includes(kind)),
    );
    expect(credentialKindsOf('gmailOAuth2')).toContain('service_account');
    expect(credentialKindsOf('smtp')).toEqual(['smtp']);
    expect(credentialKindsOf('postgres')).toEqual(['database']);
  });

  it('say which of their texts are secret', () => {
    const credential = Credential.parse({
      kind: 'oauth2_refresh',
      token_url: 'https://id.example/token',
      client_id: 'me',
      client_secret: 'mine',
      refresh_token: 'again',
    });
    expect(secretsOf(credential)).toEqual(['mine', 'again']);
    expect(secretsOf(Credential.parse({ kind: 'bearer', token: 't' }))).toEqual(['t']);
  });
});
