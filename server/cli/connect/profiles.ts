import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { configFolder } from '../../host/config-folder.ts';
import { setOwn } from '../../kernel/json.ts';
import { CommandFailure } from '../command-failure.ts';
import { writeFile } from '../write-file.ts';
import type { CliSettings } from './cli-settings.ts';

// The reference's file says `url`.
const profile = z
  .object({
    service_url: z.string().optional(),
    url: z.string().optional(),
    api_key: z.string().nullish(),
    api_key_secret: z.string().nullish(),
  })
  .transform(({ service_url, url, api_key, api_key_secret }, context) => {
    const address = service_url ?? url;
    if (address === undefined) context.addIssue({ code: 'custom', message: 'has no service_url' });
    return {
      service_url: address ?? '',
      api_key: api_key ?? null,
      api_key_secret: api_key_secret ?? null,
    };
  });
const document = z.object({
  active: z.string().nullable().optional(),
  profiles: z.record(z.string(), profile).default({}),
});

/** Where a named platform is. */
export interface ServiceProfile {
  readonly service_url: string;
  /** A key that stands in the file, as those of earlier versions and of the reference client do. */
  readonly api_key: string | null;
  /** Under which name its key is among the stored secrets. */
  readonly api_key_secret: string | null;
}

/** The profiles of one person, as they stand in the file. */
export interface Profiles {
  readonly active: string | null;
  readonly profiles: Readonly<Record<string, ServiceProfile>>;
  /** The file that changes are written to. */
  readonly path: string;
}

/** A profile as it is shown: never its key. */
export interface ProfileView {
  readonly name: string;
  readonly service_url: string;
  readonly authenticated: boolean;
  readonly active: boolean;
}

const PRIVATE = 0o600;

function parse(file: string): z.output<typeof document> | undefined {
  try {
    return document.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Our own file, else (read only, and only when it can be read) that of the reference client. */
function parseFirst(own: string, named: boolean): z.output<typeof document> {
  if (existsSync(own)) {
    const found = parse(own);
    if (found !== undefined) return found;
    throw new CommandFailure(`${own} cannot be read as a list of profiles; mend or remove it.`);
  }
  const reference = path.join(homedir(), '.kneo_serv', 'profiles.json');
  return (named ? undefined : parse(reference)) ?? { profiles: {} };
}

/** Reads the profiles; an absent file is none. @throws CommandFailure when it cannot be read. */
export function readProfiles(
  settings: Pick<CliSettings, 'profilesPath'>,
  env: Readonly<Record<string, string | undefined>>,
): Profiles {
  const own = settings.profilesPath ?? path.join(configFolder(env), 'profiles.json');
  const read = parseFirst(own, settings.profilesPath !== undefined);
  const profiles: Record<string, ServiceProfile> = {};
  for (const [name, found] of Object.entries(read.profiles)) setOwn(profiles, name, found);
  return { active: read.active ?? null, profiles, path: own };
}

/** Writes all profiles, for nobody but their owner. @throws CommandFailure */
export function writeProfiles({ active, profiles, path: file }: Profiles): void {
  writeFile(file, `${JSON.stringify({ active, profiles }, null, 2)}\n`, PRIVATE);
}

/** @throws CommandFailure when there is no such profile. */
export function profileNamed(profiles: Profiles, name: string): ServiceProfile {
  const found = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name] : undefined;
  if (found === undefined) {
    throw new CommandFailure(
      `There is no profile "${name}". "specwright config profile list" names those that are.`,
    );
  }
  return found;
}

/** A profile as it is shown. @throws CommandFailure when there is none of that name */
export function profileView(profiles: Profiles, name: string): ProfileView {
  const { service_url, api_key, api_key_secret } = profileNamed(profiles, name);
  const authenticated = (api_key !== null && api_key !== '') || api_key_secret !== null;
  return { name, service_url, authenticated, active: profiles.active === name };
}
