import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parse } from 'smol-toml';
import { isObject } from '../kernel/json.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import type { AuthScheme } from '../platform-client/transport.ts';
import { type Environment, readText } from './environment-variables.ts';

/** How one platform is reached. */
export interface PlatformProfile {
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly authScheme: AuthScheme;
  /** Seconds. */
  readonly timeout: number;
}

const DEFAULT_TIMEOUT_SECONDS = 30;

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toProfile(table: Readonly<Record<string, unknown>>): PlatformProfile {
  const timeout = table['timeout'];
  return {
    url: text(table['url']),
    apiKey: text(table['api_key']),
    authScheme: table['auth_scheme'] === 'x-kneo-api-key' ? 'x-kneo-api-key' : 'bearer',
    timeout: typeof timeout === 'number' && timeout > 0 ? timeout : DEFAULT_TIMEOUT_SECONDS,
  };
}

function candidates(env: Environment): readonly string[] {
  const named = readText(env, 'DASH_PROFILES_FILE');
  if (named !== undefined) return [named];
  const folder = readText(env, 'XDG_CONFIG_HOME') ?? path.join(homedir(), '.config');
  return [
    path.join(folder, 'specwright', 'profiles.toml'),
    path.join(folder, 'kneo', 'client.toml'),
  ];
}

/**
 * The named profiles, one TOML table each. The variables of the default connection never fill them
 * (contract/dashboard.md 2).
 * @throws StartRefusal when a file that was named is missing, or the file is not TOML.
 */
export function readProfiles(env: Environment): ReadonlyMap<string, PlatformProfile> {
  const files = candidates(env);
  const file = files.find((candidate) => existsSync(candidate));
  if (file === undefined) {
    if (files.length === 1) throw new StartRefusal('DASH_PROFILES_FILE names no file.');
    return new Map();
  }
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = parse(readFileSync(file, 'utf8'));
  } catch {
    throw new StartRefusal('The profiles file is not readable as TOML.');
  }
  const nested = isObject(parsed['profiles']) ? parsed['profiles'] : parsed;
  const profiles = new Map<string, PlatformProfile>();
  for (const [name, table] of Object.entries(nested)) {
    if (isObject(table)) profiles.set(name, toProfile(table));
  }
  return profiles;
}
