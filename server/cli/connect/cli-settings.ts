import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { createEnvReader } from '../../platform/env-reader.ts';

/** What the environment tells the command line (contract/platform.md 12). Times in milliseconds. */
export interface CliSettings {
  readonly timeoutMs: number;
  readonly retries: number;
  readonly backoffMs: number;
  /** Key of a connection that no profile gives one. */
  readonly apiKey: string | undefined;
  readonly profilesPath: string | undefined;
  readonly environment: string | undefined;
  readonly projectConfig: string | undefined;
  /** The Idempotency-Key of one command. */
  idempotencyKey(): string;
}

type Env = Readonly<Record<string, string | undefined>>;

function either(env: Env, name: string): string | undefined {
  const value = env[`SERV_${name}`] || env[`KNEO_${name}`];
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** Reads the settings. @throws StartRefusal for a malformed number. */
export function readCliSettings(env: Env): CliSettings {
  const read = createEnvReader(env);
  const fixedKey = read.text('IDEMPOTENCY_KEY')?.trim();
  return {
    timeoutMs: read.number('CLIENT_TIMEOUT', { fallback: 120, min: 0, above: true }) * 1000,
    retries: read.number('CLIENT_RETRIES', { fallback: 2, min: 0, integer: true }),
    backoffMs: read.number('CLIENT_RETRY_BACKOFF_SECONDS', { fallback: 0.25, min: 0 }) * 1000,
    apiKey: read.text('API_KEY')?.trim(),
    profilesPath: read.text('PROFILES_PATH'),
    environment: either(env, 'ENV'),
    projectConfig: either(env, 'PROJECT_CONFIG'),
    idempotencyKey: () => fixedKey ?? `cli-${randomUUID()}`,
  };
}

/** The configuration folder of this person (decisions 30); it may not exist yet. */
export function configFolder(env: Env, platform: string = process.platform): string {
  const given = env['XDG_CONFIG_HOME'];
  if (given !== undefined && path.isAbsolute(given)) return path.join(given, 'specwright');
  if (platform === 'win32' && env['APPDATA']) return path.join(env['APPDATA'], 'specwright');
  if (platform === 'darwin') {
    return path.join(homedir(), 'Library', 'Application Support', 'specwright');
  }
  return path.join(env['HOME'] || homedir(), '.config', 'specwright');
}
