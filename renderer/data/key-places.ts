import type { ModelKeyList } from '../../server/contract/gateway/model-keys.ts';

/** Where stored secrets are kept, in words. */
export const KEEPERS: Readonly<Record<ModelKeyList['keeper'], string>> = {
  keychain: 'the keychain of this computer',
  file: 'an encrypted file of the data folder',
};
