import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { isObject } from '../../kernel/json.ts';
import { timerMs } from '../../kernel/timer-limit.ts';

/** Where a platform is and how it is spoken to. */
export interface Profile {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly authScheme: 'bearer' | 'x-kneo-api-key';
  readonly timeoutMs: number;
}

/** Why a profile cannot be used; never holds a key. */
export type ProfileLookup =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly reason: string };

const DEFAULT_TIMEOUT_SECONDS = 30;

function profileOf(name: string, table: Readonly<Record<string, unknown>>): ProfileLookup {
  const {
    url,
    api_key: apiKey,
    auth_scheme: scheme = 'bearer',
    timeout = DEFAULT_TIMEOUT_SECONDS,
  } = table;
  const usable =
    typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!usable) return { ok: false, reason: `Profile ${name} has no usable url.` };
  if (apiKey !== undefined && typeof apiKey !== 'string') {
    return { ok: false, reason: `Profile ${name} has an api_key that is no text.` };
  }
  if (scheme !== 'bearer' && scheme !== 'x-kneo-api-key') {
    return { ok: false, reason: `Profile ${name} has an unknown auth_scheme.` };
  }
  if (typeof timeout !== 'number' || !(timeout > 0)) {
    return { ok: false, reason: `Profile ${name} has a timeout that is no positive number.` };
  }
  return { ok: true, profile: { url, apiKey, authScheme: scheme, timeoutMs: timerMs(timeout) } };
}

/** Looks a profile up in the profiles file; the file is read each time, so that an edit counts at once. */
export function lookUpProfile(files: readonly string[], name: string): ProfileLookup {
  const file = files.find((candidate) => existsSync(candidate));
  if (file === undefined) {
    return { ok: false, reason: `Profile ${name} is not known: there is no profiles file.` };
  }
  let document: unknown;
  try {
    document = parse(readFileSync(file, 'utf8'));
  } catch {
    return { ok: false, reason: 'The profiles file cannot be read as TOML.' };
  }
  const root = isObject(document) ? document : {};
  const nested = isObject(root['profiles']) ? root['profiles'] : {};
  const table = isObject(root[name]) ? root[name] : nested[name];
  if (!isObject(table))
    return { ok: false, reason: `Profile ${name} is not in the profiles file.` };
  return profileOf(name, table);
}
