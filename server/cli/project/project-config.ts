import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { DEFAULT_REQUEST_LIMITS } from '../../contract/platform/limits.ts';
import { environmentPolicyBody } from '../../contract/platform/policies.ts';
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import { readTextFile } from '../read-text-file.ts';

const mapping = z.custom<JsonObject>((value) => isObject(value), 'must be a mapping');
const text = z.string().min(1);
const names = z.record(z.string(), text);

function optional<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

function section<S extends z.ZodRawShape>(shape: S) {
  return z
    .looseObject(shape)
    .nullish()
    .transform((value) => value ?? {});
}

const environment = z.looseObject({
  defaults: optional(mapping),
  policy_enforcement: optional(environmentPolicyBody(DEFAULT_REQUEST_LIMITS)),
});

const document = z.looseObject({
  project: section({
    name: optional(text),
    default_environment: optional(text),
    default_spec: optional(text),
  }),
  service: section({ default_url: optional(text) }),
  runtime_defaults: optional(mapping),
  model_defaults: optional(z.record(z.string(), mapping)),
  environments: optional(z.record(z.string(), environment.nullable())),
  policies: section({ project_defaults: optional(mapping) }),
  secrets: section({ provider_env: optional(names), extra_env: optional(names) }),
});

/** The settings of a project (spec-v1 7), with what is not set left out. */
export interface ProjectConfig {
  readonly project: {
    readonly name?: string | undefined;
    readonly default_environment?: string | undefined;
    readonly default_spec?: string | undefined;
  };
  readonly service: { readonly default_url?: string | undefined };
  readonly runtime_defaults: JsonObject | undefined;
  readonly model_defaults: Readonly<Record<string, JsonObject>>;
  readonly environments: Readonly<Record<string, z.output<typeof environment> | null>>;
  readonly policies: { readonly project_defaults?: JsonObject | undefined };
  /** Variables that hold keys and secrets, by provider and by the name that specs give them. */
  readonly secrets: {
    readonly provider_env?: Readonly<Record<string, string>> | undefined;
    readonly extra_env?: Readonly<Record<string, string>> | undefined;
  };
}

/** A project configuration and where it was found. */
export interface FoundConfig {
  readonly file: string;
  /** The folder that holds `.specwright`. */
  readonly root: string;
  readonly config: ProjectConfig;
  /** The document as it stands in the file. */
  readonly document: Readonly<Record<string, Json>>;
}

const FOLDERS = ['.specwright', '.kneo'];

function parseConfig(file: string): Pick<FoundConfig, 'config' | 'document'> {
  const parsed = parseWholeText(readTextFile(file), 'yaml');
  if (parsed.value === undefined) {
    throw new CommandFailure(`${file}: ${parsed.diagnostics[0]?.message ?? 'is no mapping.'}`);
  }
  const checked = document.safeParse(parsed.value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new CommandFailure(`${file}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { model_defaults = {}, environments = {}, ...rest } = checked.data;
  return { config: { ...rest, model_defaults, environments }, document: parsed.value };
}

function rootOf(file: string): string {
  const folder = path.dirname(file);
  return FOLDERS.includes(path.basename(folder)) ? path.dirname(folder) : folder;
}

function read(file: string): FoundConfig {
  return { file, root: rootOf(file), ...parseConfig(file) };
}

/**
 * The project configuration of a folder: the named file, else `.specwright/config.yaml`, else
 * `.kneo/config.yaml`, there or in the nearest folder above.
 * @throws CommandFailure when the file cannot be read or is wrong
 */
export function findProjectConfig(
  named: string | undefined,
  start: string = process.cwd(),
): FoundConfig | undefined {
  if (named !== undefined) return read(path.resolve(named));
  let folder = path.resolve(start);
  for (;;) {
    for (const name of FOLDERS) {
      const file = path.join(folder, name, 'config.yaml');
      if (existsSync(file)) return read(file);
    }
    const parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}
