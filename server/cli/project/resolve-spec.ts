import { existsSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../kernel/json.ts';
import { type LoadedSpec, loadSpec } from '../../spec/load/load-spec.ts';
import { environmentPolicyFindings } from '../../spec/reports/environment-policy.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { formatOfFile, parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import { type CliSettings, readCliSettings } from '../connect/cli-settings.ts';
import { printDiagnostics, printNote } from '../output.ts';
import { readTextFile } from '../read-text-file.ts';
import { applyProject } from './apply-project.ts';
import { type FoundConfig, findProjectConfig } from './project-config.ts';

/** A spec file as its project and environment make it. */
export interface ResolvedSpec {
  readonly file: string;
  /** Undefined when neither an option nor the surroundings name one. */
  readonly environment: string | undefined;
  readonly project: FoundConfig | undefined;
  /** What is sent and checked; undefined when the text is no document. */
  readonly document: JsonObject | undefined;
  /** Why there is no document. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Option, SERV_ENV, the project's default, `dev` (spec-v1 7). */
export function environmentOf(
  given: string | undefined,
  settings: Pick<CliSettings, 'environment'>,
  project: FoundConfig | undefined,
): string | undefined {
  const named = given ?? settings.environment ?? project?.config.project.default_environment;
  return named ?? (project === undefined ? undefined : 'dev');
}

function specFile(given: string | undefined, project: FoundConfig | undefined): string {
  if (given !== undefined) return given;
  const named = project?.config.project.default_spec;
  if (project !== undefined && named !== undefined) return path.resolve(project.root, named);
  const usual = ['spec.yaml', 'spec.yml', 'spec.json'].find((name) => existsSync(name));
  if (usual !== undefined) return usual;
  throw new CommandFailure(
    'Which spec? Name a file, set project.default_spec in .specwright/config.yaml, or call it spec.yaml.',
  );
}

/**
 * Reads a spec and lays it over what its project sets.
 * @throws CommandFailure when a file cannot be read
 */
export function resolveSpec(
  given: string | undefined,
  options: { readonly env?: string | undefined },
): ResolvedSpec {
  const settings = readCliSettings(process.env);
  const project = findProjectConfig(settings.projectConfig);
  const environment = environmentOf(options.env, settings, project);
  const file = specFile(given, project);
  const { value, diagnostics } = parseWholeText(readTextFile(file), formatOfFile(file));
  const document =
    value === undefined || project === undefined || environment === undefined
      ? value
      : applyProject(value, project.config, environment);
  return { file, environment, project, document, diagnostics };
}

/** Layers, migrates and checks a resolved spec as the platform would. */
export function loadResolved({ document, environment, diagnostics }: ResolvedSpec): LoadedSpec {
  if (document === undefined) {
    return { spec: undefined, diagnostics: [...diagnostics], refusal: null };
  }
  return loadSpec({ base: document, environment: environment ?? null });
}

/**
 * Refuses what the project's `policy_enforcement` of the environment blocks (platform.md 13). A spec
 * that does not load is left to the command.
 * @throws CommandFailure after the findings were printed
 */
export function enforceProjectPolicy(resolved: ResolvedSpec, loaded: LoadedSpec): void {
  const { project, environment } = resolved;
  if (project === undefined || environment === undefined || loaded.spec === undefined) return;
  const { environments } = project.config;
  const own = Object.hasOwn(environments, environment) ? environments[environment] : undefined;
  const policy = own?.policy_enforcement;
  if (policy === undefined) return;
  const findings = environmentPolicyFindings(loaded.spec, policy);
  if (findings.length === 0) return;
  printDiagnostics(findings, printNote);
  throw new CommandFailure(
    `The project's policy of environment "${environment}" blocks this spec (${findings.length}).`,
  );
}

/** The document of a spec that can be sent. @throws CommandFailure after the findings were printed. */
export function documentOf(resolved: ResolvedSpec): JsonObject {
  if (resolved.document !== undefined) return resolved.document;
  printDiagnostics(resolved.diagnostics, printNote);
  throw new CommandFailure(`${resolved.file} is no spec document.`);
}
