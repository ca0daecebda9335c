import { t } from '../../preload/texts/t.ts';
import { listModelKeys, type ModelKeyList } from '../../server/contract/gateway/model-keys.ts';
import { listSecrets } from '../../server/contract/gateway/secrets.ts';
import { queryClient, routePrefix } from './query-client.ts';

/** Where stored secrets are kept, in words. */
export const KEEPERS: Readonly<Record<ModelKeyList['keeper'], string>> = {
  keychain: t('the keychain of this computer'),
  file: t('an encrypted file of the data folder'),
};

/** Reads again what is stored and where, after somebody changed it. */
export function readSecretsAgain(): void {
  void queryClient.invalidateQueries({ queryKey: routePrefix(listModelKeys) });
  void queryClient.invalidateQueries({ queryKey: routePrefix(listSecrets) });
}
