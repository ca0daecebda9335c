import type { Environment } from '../contract/settings.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import {
  type PlatformProfile,
  profilesFiles,
  readProfilesFile,
} from '../platform-client/profiles.ts';

/**
 * The named profiles. The variables of the default connection never fill them (contract/dashboard.md 2).
 * @throws StartRefusal when a file that was named is missing, or the file is not TOML.
 */
export function readProfiles(
  named: string | undefined,
  env: Environment,
): ReadonlyMap<string, PlatformProfile> {
  const file = readProfilesFile(profilesFiles(named, env));
  if (file.kind === 'read') return file.profiles;
  if (file.kind === 'unreadable') {
    throw new StartRefusal('The profiles file is not readable as TOML.');
  }
  if (named !== undefined) throw new StartRefusal('DASH_PROFILES_FILE names no file.');
  return new Map();
}
