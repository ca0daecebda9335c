import { keyOrFile } from '../../host/key-from-file.ts';
import { setOwn } from '../../kernel/json.ts';
import { readCliSettings } from '../connect/cli-settings.ts';
import {
  type Profiles,
  profileNamed,
  profileView,
  readProfiles,
  type ServiceProfile,
  writeProfiles,
} from '../connect/profiles.ts';
import { serviceUrl } from '../connect/service-url.ts';
import { printFacts, printJson, printLine, printNote } from '../output.ts';
import { removePlatformKey, storePlatformKey } from '../secrets/platform-keys.ts';
import { printTable } from '../table.ts';

export interface ProfileOptions {
  readonly json?: boolean;
}

export interface SetProfileOptions extends ProfileOptions {
  readonly serviceUrl: string;
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
  readonly activate?: boolean;
}

function known(): Profiles {
  return readProfiles(readCliSettings(process.env), process.env);
}

function tell(profiles: Profiles, name: string, options: ProfileOptions): number {
  const view = profileView(profiles, name);
  if (options.json) printJson(view);
  else {
    printFacts({
      profile: view.name,
      'service URL': view.service_url,
      authenticated: view.authenticated,
      active: view.active,
    });
  }
  return 0;
}

/** `config profile set`: without a key in its words the stored one stays. */
export async function set(name: string, options: SetProfileOptions): Promise<number> {
  const apiKey = keyOrFile(options.apiKey, options.apiKeyFile, 'api-key');
  const before = known();
  const old = Object.hasOwn(before.profiles, name) ? before.profiles[name] : undefined;
  const service_url = serviceUrl(options.serviceUrl);
  const stored =
    apiKey === undefined ? undefined : await storePlatformKey(before.path, name, apiKey);
  const profile: ServiceProfile = {
    service_url,
    api_key: stored === undefined ? (old?.api_key ?? null) : null,
    api_key_secret: stored?.name ?? old?.api_key_secret ?? null,
  };
  const profiles = { ...before.profiles };
  setOwn(profiles, name, profile);
  // The first profile is the active one unless the words say otherwise.
  const activate = options.activate ?? Object.keys(before.profiles).length === 0;
  const after = { ...before, profiles, active: activate ? name : before.active };
  writeProfiles(after);
  if (stored !== undefined && !options.json) {
    const place = stored.kept_in === 'keychain' ? 'the keychain' : 'an encrypted file';
    printNote(`The key is kept in ${place}; "specwright secrets list" shows it by name.`);
  }
  return tell(after, name, options);
}

/** `config profile use`. */
export function use(name: string, options: ProfileOptions): number {
  const before = known();
  profileNamed(before, name);
  const after = { ...before, active: name };
  writeProfiles(after);
  return tell(after, name, options);
}

/** `config profile list`. */
export function list(options: ProfileOptions): number {
  const found = known();
  const views = Object.keys(found.profiles).map((name) => profileView(found, name));
  if (options.json) {
    printJson({ active: found.active, profiles: views, path: found.path });
    return 0;
  }
  printTable(views, [
    { head: '', show: ({ active }) => (active ? '*' : '') },
    { head: 'PROFILE', show: ({ name }) => name },
    { head: 'SERVICE URL', show: ({ service_url }) => service_url },
    { head: 'KEY', show: ({ authenticated }) => (authenticated ? 'yes' : 'no') },
  ]);
  return 0;
}

/** `config profile show`: the active one unless a name is given. */
export function show(name: string | undefined, options: ProfileOptions): number {
  const found = known();
  const wanted = name ?? found.active;
  if (wanted !== null) return tell(found, wanted, options);
  if (options.json) printJson(null);
  else printLine('no active profile');
  return 0;
}

/** `config profile delete`. */
export async function remove(name: string, options: ProfileOptions): Promise<number> {
  const before = known();
  const { api_key_secret: secret } = profileNamed(before, name);
  if (secret !== null) await removePlatformKey(secret);
  const { [name]: _gone, ...profiles } = before.profiles;
  const active = before.active === name ? null : before.active;
  writeProfiles({ ...before, profiles, active });
  if (options.json) printJson({ deleted: name, active });
  else printLine(`✓ ${name} deleted`);
  return 0;
}
