import { timerMs } from '../../kernel/timer-limit.ts';
import { readProfilesFile } from '../../platform-client/profiles.ts';
import type { AuthScheme } from '../../platform-client/transport.ts';

/** Where a platform is and how it is spoken to. */
export interface Profile {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly authScheme: AuthScheme;
  readonly timeoutMs: number;
}

/** Why a profile cannot be used; never holds a key. */
export type ProfileLookup =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly reason: string };

/** Looks a profile up in the profiles file; the file is read each time, so that an edit counts at once. */
export function lookUpProfile(files: readonly string[], name: string): ProfileLookup {
  const file = readProfilesFile(files);
  if (file.kind !== 'read') {
    const reason =
      file.kind === 'none'
        ? `Profile ${name} is not known: there is no profiles file.`
        : 'The profiles file cannot be read as TOML.';
    return { ok: false, reason };
  }
  const found = file.profiles.get(name);
  if (found === undefined) {
    return { ok: false, reason: `Profile ${name} is not in the profiles file.` };
  }
  const { url, apiKey, authScheme, timeout, faults } = found;
  const [fault] = faults;
  if (fault !== undefined || url === undefined) {
    return { ok: false, reason: `Profile ${name} ${fault ?? 'has no usable url'}.` };
  }
  return { ok: true, profile: { url, apiKey, authScheme, timeoutMs: timerMs(timeout) } };
}
