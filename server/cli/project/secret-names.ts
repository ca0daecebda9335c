import { providerKeyVariable } from '../../runtime/models/provider-names.ts';
import { SECRET_NAMES } from '../../runtime/secrets.ts';
import type { ProjectConfig } from './project-config.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that a project names for keys and secrets, by their usual names (spec-v1 17). */
export function secretNames(project: ProjectConfig | undefined): Readonly<Record<string, string>> {
  const { provider_env = {}, extra_env = {} } = project?.secrets ?? {};
  const providers = Object.entries(provider_env).map(([provider, variable]) => [
    providerKeyVariable(provider),
    variable,
  ]);
  return { ...Object.fromEntries(providers), ...extra_env };
}

/** The environment of a platform that looks for secrets under the names of a project. */
export function withSecretNames(env: Env, project: ProjectConfig | undefined): Env {
  const names = secretNames(project);
  return Object.keys(names).length === 0 ? env : { ...env, [SECRET_NAMES]: JSON.stringify(names) };
}
