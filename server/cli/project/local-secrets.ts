import { chooseDataFolder } from '../../host/data-folder.ts';
import { withStoredSecrets } from '../../host/model-keys.ts';
import { openSecrets, type Secrets } from '../../runtime/secrets.ts';
import type { ProjectConfig } from './project-config.ts';
import { withSecretNames } from './secret-names.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The environment of a platform of this computer: it finds stored secrets, under the names of a project. */
export function localEnv(folder: string, project: ProjectConfig | undefined): Env {
  return withSecretNames(withStoredSecrets(process.env, folder), project);
}

/** The secrets that a run of this computer would find. */
export function localSecrets(
  options: { readonly data?: string; readonly trust?: boolean },
  project: ProjectConfig | undefined,
): Secrets {
  const env = localEnv(chooseDataFolder(options.data, process.env), project);
  return openSecrets(env, options.trust ?? false);
}
