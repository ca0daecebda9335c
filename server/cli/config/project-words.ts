import type { CredentialEntry, Credentials } from '../../contract/platform/security.ts';
import { redactValue } from '../../kernel/redact.ts';
import { credentialInventory } from '../../platform/security/credential-inventory.ts';
import { readCliSettings } from '../connect/cli-settings.ts';
import { printFacts, printJson, printLine, printNote } from '../output.ts';
import { initProject } from '../project/init-project.ts';
import { localSecrets } from '../project/local-secrets.ts';
import { type FoundConfig, findProjectConfig } from '../project/project-config.ts';
import { environmentOf, loadResolved, resolveSpec } from '../project/resolve-spec.ts';
import { secretNames } from '../project/secret-names.ts';
import { validation } from '../spec/local-answers.ts';
import { printTable } from '../table.ts';

export interface ConfigOptions {
  readonly json?: boolean;
  readonly env?: string;
  readonly spec?: string;
  /** Secrets are looked for as a run in a trusted tree does. */
  readonly trust?: boolean;
}

const NO_CONFIG = 'No project configuration here; "specwright config init" writes one.';

function surroundings(env: string | undefined) {
  const settings = readCliSettings(process.env);
  const project = findProjectConfig(settings.projectConfig);
  return { project, environment: environmentOf(env, settings, project) ?? 'dev' };
}

/** `config show`: the configuration as it stands; exit 0 with a warning when there is none. */
export function show(options: ConfigOptions): number {
  const { project } = surroundings(undefined);
  if (options.json) {
    const config = project === undefined ? null : redactValue(project.document);
    printJson({ path: project?.file ?? null, config });
  } else if (project !== undefined) {
    printFacts({ path: project.file });
    printLine(JSON.stringify(redactValue(project.document), null, 2));
  }
  if (project === undefined) printNote(`! ${NO_CONFIG}`);
  return 0;
}

/** `config init`. */
export function init(options: { readonly name?: string; readonly force?: boolean }): number {
  printLine(`✓ ${initProject(process.cwd(), options)}`);
  return 0;
}

/** The credentials by the names that the project gives them. */
async function inventory(
  project: FoundConfig | undefined,
  options: ConfigOptions,
): Promise<Credentials> {
  const names = secretNames(project?.config);
  const extras = Object.keys(project?.config.secrets.extra_env ?? {});
  const wanted = { providers: undefined, extras, includeServiceTokens: true };
  const { inventory: found } = credentialInventory(
    process.env,
    await localSecrets(options, project),
    wanted,
  );
  const named = (entries: Record<string, CredentialEntry>) =>
    Object.fromEntries(
      Object.entries(entries).map(([key, entry]) => [
        key,
        { ...entry, env_var: names[entry.env_var] ?? entry.env_var },
      ]),
    );
  return {
    inventory: { ...found, providers: named(found.providers), extra: named(found.extra) },
  };
}

function environmentSettings(project: FoundConfig | undefined, environment: string) {
  const { environments = {}, model_defaults = {} } = project?.config ?? {};
  const own = Object.hasOwn(environments, environment) ? environments[environment] : undefined;
  const model = Object.hasOwn(model_defaults, environment) ? model_defaults[environment] : null;
  return {
    model_defaults: model ?? null,
    defaults: own?.defaults ?? null,
    policy_enforcement: own?.policy_enforcement ?? null,
  };
}

function specFacts(options: ConfigOptions, project: FoundConfig | undefined) {
  const named = options.spec ?? project?.config.project.default_spec;
  if (named === undefined) return null;
  const resolved = resolveSpec(options.spec, options);
  const { valid, diagnostics } = validation(loadResolved(resolved));
  return { path: resolved.file, valid, diagnostics };
}

/** `config resolve`: what a command in this folder would work with; secrets by name only. */
export async function resolveContext(options: ConfigOptions): Promise<number> {
  const { project, environment } = surroundings(options.env);
  const context = {
    environment,
    config_path: project?.file ?? null,
    project_root: project?.root ?? null,
    project: project?.config.project ?? {},
    service: project?.config.service ?? {},
    runtime_defaults: project?.config.runtime_defaults ?? null,
    ...environmentSettings(project, environment),
    spec: specFacts(options, project),
  };
  const shown = redactValue(JSON.parse(JSON.stringify(context)));
  // Entries of the inventory hold no values, and their names look like secrets to the redactor.
  const { inventory: secrets } = await inventory(project, options);
  if (options.json) {
    printJson({ ...(typeof shown === 'object' ? shown : {}), secrets });
    return 0;
  }
  if (project === undefined) printNote(`! ${NO_CONFIG}`);
  printFacts(typeof shown === 'object' && !Array.isArray(shown) ? (shown ?? {}) : {});
  const present = [...Object.values(secrets.providers), ...Object.values(secrets.service_tokens)]
    .filter((entry) => entry.present)
    .map((entry) => entry.env_var);
  printFacts({ secrets: present.join(', ') || 'none set' });
  return 0;
}

/** `config secrets`: which credentials are found by name; never a value. */
export async function secrets(options: ConfigOptions): Promise<number> {
  const found = await inventory(surroundings(options.env).project, options);
  if (options.json) {
    printJson(found);
    return 0;
  }
  const { providers, extra, service_tokens } = found.inventory;
  printTable(
    [providers, extra, service_tokens].flatMap((group) => Object.values(group)),
    [
      { head: 'CREDENTIAL', show: (entry) => entry.name },
      { head: 'VARIABLE', show: (entry) => entry.env_var },
      {
        head: 'STATUS',
        show: (entry) => (entry.present && entry.usable === false ? 'not given' : entry.status),
      },
    ],
  );
  return 0;
}
