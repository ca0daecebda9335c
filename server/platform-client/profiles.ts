import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parse } from 'smol-toml';
import type { Environment } from '../contract/settings.ts';
import { isObject } from '../kernel/json.ts';
import type { AuthScheme } from './transport.ts';

/** How a platform is reached; what the file does not say usably is at its standard value. */
export interface PlatformProfile {
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly authScheme: AuthScheme;
  /** Seconds. */
  readonly timeout: number;
}

/** A profile of the file, and what of its table cannot be used. */
export interface ReadProfile extends PlatformProfile {
  readonly faults: readonly string[];
}

/** What a profiles file holds; `unreadable` when it is no TOML. */
export type ProfilesFile =
  | { readonly kind: 'read'; readonly profiles: ReadonlyMap<string, ReadProfile> }
  | { readonly kind: 'none' | 'unreadable' };

const STANDARD_TIMEOUT_SECONDS = 30;

/** The named file, else ours of the configuration folder, else that of the reference client. */
export function profilesFiles(named: string | undefined, env: Environment): string[] {
  if (named !== undefined) return [named];
  const given = env['XDG_CONFIG_HOME']?.trim() ?? '';
  const folder = given === '' ? path.join(env['HOME'] || homedir(), '.config') : given;
  return [
    path.join(folder, 'specwright', 'profiles.toml'),
    path.join(folder, 'kneo', 'client.toml'),
  ];
}

function isAddress(url: unknown): url is string {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function toProfile(table: Readonly<Record<string, unknown>>): ReadProfile {
  const { url, api_key: apiKey, auth_scheme: scheme = 'bearer', timeout } = table;
  const known = scheme === 'bearer' || scheme === 'x-kneo-api-key';
  const lasts = typeof timeout === 'number' && timeout > 0;
  const faults = [
    ...(isAddress(url) ? [] : ['has no usable url']),
    ...(apiKey === undefined || typeof apiKey === 'string'
      ? []
      : ['has an api_key that is no text']),
    ...(known ? [] : ['has an unknown auth_scheme']),
    ...(timeout === undefined || lasts ? [] : ['has a timeout that is no positive number']),
  ];
  return {
    url: typeof url === 'string' && url !== '' ? url : undefined,
    apiKey: typeof apiKey === 'string' && apiKey !== '' ? apiKey : undefined,
    authScheme: known ? scheme : 'bearer',
    timeout: lasts ? timeout : STANDARD_TIMEOUT_SECONDS,
    faults,
  };
}

/** Reads the first of the files that is there: one TOML table a profile, at the top or in `profiles`. */
export function readProfilesFile(files: readonly string[]): ProfilesFile {
  const file = files.find((candidate) => existsSync(candidate));
  if (file === undefined) return { kind: 'none' };
  let document: Readonly<Record<string, unknown>>;
  try {
    document = parse(readFileSync(file, 'utf8'));
  } catch {
    return { kind: 'unreadable' };
  }
  const { profiles: nested, ...top } = document;
  const tables = { ...(isObject(nested) ? nested : {}), ...top };
  const profiles = new Map<string, ReadProfile>();
  for (const [name, table] of Object.entries(tables)) {
    if (isObject(table)) profiles.set(name, toProfile(table));
  }
  return { kind: 'read', profiles };
}
