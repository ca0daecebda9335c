import { expect, test } from 'vitest';
import { memoryKeychain } from '../../../test/support/memory-keychain.ts';
import { add, freshLists, store } from '../../../test/support/run-list-world.ts';
import { openSecrets } from '../../runtime/secrets.ts';
import { createKeychainSecrets } from '../../runtime/stored-secrets.ts';
import { FROZEN_READS } from '../specs/spec-work.ts';
import { credentialNeeds } from './credential-needs.ts';

freshLists();

const base = {
  version: 'v1',
  agent: { name: 'desk', model: { provider: 'anthropic', name: 'm' } },
};

test('a key that is in the keychain is there for whoever asks first', async () => {
  add({ created_metadata: JSON.stringify({ frozen_spec: { base } }) });
  const keychain = memoryKeychain();
  keychain.entries.set('ANTHROPIC_API_KEY', 'k-1');
  const env = { SERV_KEYCHAIN: 'on' };
  const opened = openSecrets(env, false, createKeychainSecrets(Date.now, keychain));
  const specReader = {
    frozen: async (name: keyof typeof FROZEN_READS, text: string) => FROZEN_READS[name](text),
  };
  const secrets = { ready: opened.ready, of: () => opened };
  const { needs } = await credentialNeeds({ store, specReader, secrets }, 10);
  expect(needs).toMatchObject([
    { env_var: 'ANTHROPIC_API_KEY', present: true, usable: true, runs: 1 },
  ]);
});
