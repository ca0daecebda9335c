import path from 'node:path';
import { chooseDataFolder } from '../../host/data-folder.ts';
import { withStoredSecrets } from '../../host/model-keys.ts';
import { trustedFolders } from '../../host/personal-trust.ts';
import { readPlatformConfig } from '../../platform/config.ts';
import { openSecrets, type Secrets } from '../../runtime/secrets.ts';
import { openSecretsHere } from '../secrets/ask-passphrase.ts';
import type { FoundConfig, ProjectConfig } from './project-config.ts';
import { withSecretNames } from './secret-names.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The environment of a platform of this computer: it finds stored secrets, under the names of a project. */
export function localEnv(folder: string, project: ProjectConfig | undefined): Env {
  return withSecretNames(withStoredSecrets(process.env, folder), project);
}

/** The secrets that a run of this computer would find, ready to be asked. */
export async function localSecrets(
  options: { readonly data?: string; readonly trust?: boolean },
  project: FoundConfig | undefined,
): Promise<Secrets> {
  const folder = chooseDataFolder(options.data, process.env);
  await openSecretsHere(folder);
  const env = localEnv(folder, project?.config);
  const secrets = openSecrets(env, isTrustedHere(options, project));
  await secrets.ready();
  return secrets;
}

/** Folder in which paths and code of the specs here are looked for. */
export function specRootHere(project: FoundConfig | undefined): string {
  const { specRoot } = readPlatformConfig(process.env);
  return path.resolve(specRoot ?? project?.root ?? process.cwd());
}

/** Whether a run of this computer would trust that folder: by its word, or by the list. */
export function isTrustedHere(
  { trust }: { readonly trust?: boolean },
  project: FoundConfig | undefined,
): boolean {
  return trust === true || trustedFolders().has(specRootHere(project));
}
