import type { SecretView } from '../../contract/gateway/secrets.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { CommandFailure } from '../command-failure.ts';
import { openStore } from './secrets.ts';

const READABLE = 60;
const HASH = 12;

/** Another name for each profile of each file, so that no key goes where another was meant. */
function secretOf(profilesFile: string, profile: string): string {
  const readable = profile.replaceAll(/[^\w-]/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  const own = sha256Hex(JSON.stringify([profilesFile, profile])).slice(0, HASH);
  return `platform:${readable.slice(0, READABLE) || 'profile'}.${own}`;
}

/** Stores the key of a saved platform. @throws Refusal of the store */
export async function storePlatformKey(
  profilesFile: string,
  profile: string,
  key: string,
): Promise<SecretView> {
  return (await openStore({})).put(secretOf(profilesFile, profile), key);
}

/** @throws CommandFailure when it is not stored, Refusal when it cannot be opened now */
export async function readPlatformKey(secret: string): Promise<string> {
  const key = await (await openStore({})).read(secret);
  if (key !== undefined) return key;
  throw new CommandFailure(
    `The key of this profile (${secret}) is not among the stored secrets of this data folder. Give it again: "specwright config profile set NAME --service-url URL --api-key-file FILE".`,
  );
}

/** Removes the key of a profile that is forgotten. @throws Refusal of the store */
export async function removePlatformKey(secret: string): Promise<void> {
  await (await openStore({})).remove(secret);
}
