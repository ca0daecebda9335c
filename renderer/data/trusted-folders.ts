import {
  listTrustedFolders,
  revokeTrustedFolder,
  type TrustedFolderView,
} from '../../server/contract/gateway/trusted-folders.ts';
import { getTrust } from '../../server/contract/studio/trust.ts';
import { call } from './api-client.ts';
import { bindingsChanged } from './environments.ts';
import { queryClient, routeKey, routePrefix } from './query-client.ts';

/** Trusts a folder no longer, wherever a project of it is shown. */
export async function revokeFolder({ folder }: TrustedFolderView): Promise<void> {
  const list = await call(revokeTrustedFolder, { body: { folder } });
  queryClient.setQueryData(routeKey(listTrustedFolders), list);
  await queryClient.invalidateQueries({ queryKey: routePrefix(getTrust) });
  await bindingsChanged();
}
