import { carriedSecrets, mayCarrySecrets } from './carried-secrets.ts';
import { looksSecret } from './secret-names.ts';
import { findSecretShapes, hintsAtShapes, isPlaceholder, isReference } from './secret-shapes.ts';

const MAX_SCANNED = 1_048_576;
/** `name: "value"`, `name = 'value'`, `"name":"value"`, also inside of quoted JSON. */
const ASSIGNED =
  /(?<![\w-])([A-Za-z_][\w-]{1,60})\\?["'`]?\s{0,20}(?::|=>?|:=)\s{0,20}\\?(["'`])([^"'`\s\\]{8,500})\\?\2/g;
/** What a text that holds such an assignment must contain. */
const ASSIGNS = /pass|pwd|secret|token|key|auth|credential|[?&]sig/i;
/** `?name=value` of an address. */
const QUERIED = /[?&]([A-Za-z_][\w.-]{0,40})=([^&\s"'`{}<>#\\]{8,500})/g;
const QUERY_NAMES = /^(?:key|token|sig|signature|auth|hapikey|apikey)$/i;
const PASSWORD = /pass|pwd/i;
const PLURAL = /(secret|password|key|credential)s$/i;
const COOKIE = /^(?:set-)?cookie$/i;
const SHORTEST = 8;
const RANDOM_LENGTH = 16;
const NONE: readonly string[] = [];

/** Fields whose name has a secret's word in it but that only name a kind of credential. */
const KIND_FIELDS: ReadonlySet<string> = new Set([
  'nodeCredentialType',
  'genericAuthType',
  'genericCredentialType',
  'credentialType',
]);

/** {@link looksSecret}, less the fields that name a kind of credential. */
export function holdsSecret(label: string): boolean {
  return !KIND_FIELDS.has(label) && looksSecret(label);
}

/** {@link holdsSecret}, also of several. */
export function namesSecret(label: string): boolean {
  if (holdsSecret(label) || COOKIE.test(label)) return true;
  return label.endsWith('s') && holdsSecret(label.replace(PLURAL, '$1'));
}

/** True for a text that somebody chose or was given, not a word of a configuration. */
export function isChosen(text: string): boolean {
  if (text.length < SHORTEST || /\s/.test(text)) return false;
  return /\d/.test(text) && !isReference(text) && !isPlaceholder(text);
}

/** True for a name that nobody gives a thing: long, of one piece, letters of both cases between digits. */
export function isRandomWord(text: string): boolean {
  const runs = text.match(/\d+/g)?.length ?? 0;
  const mixed = /[a-z]/.test(text) && /[A-Z]/.test(text) && !/[^A-Za-z0-9+/=_-]/.test(text);
  return text.length >= RANDOM_LENGTH && mixed && runs >= 3;
}

function assigned(text: string): string[] {
  const out: string[] = [];
  for (const [, name = '', , value = ''] of text.matchAll(ASSIGNED)) {
    const isPassword = PASSWORD.test(name) && !isReference(value) && !isPlaceholder(value);
    if (namesSecret(name) && (isPassword || isChosen(value))) out.push(value);
  }
  for (const [, name = '', value = ''] of text.matchAll(QUERIED)) {
    if ((QUERY_NAMES.test(name) || namesSecret(name)) && isChosen(value)) out.push(value);
  }
  return out;
}

/** Credentials in a text: by their form, or written to a name that says so. */
export function secretsInText(text: string): readonly string[] {
  const scanned = text.length > MAX_SCANNED ? text.slice(0, MAX_SCANNED) : text;
  if (scanned.length < SHORTEST) return [];
  const shaped = findSecretShapes(scanned);
  const carried = carriedSecrets(scanned);
  const written = ASSIGNS.test(scanned) ? assigned(scanned) : NONE;
  if (shaped.length + carried.length + written.length === 0) return NONE;
  return [...new Set([...shaped, ...carried, ...written])];
}

/**
 * True for a text in which {@link secretsInText} finds nothing: of what is looked for, nothing has more
 * than 22 characters.
 */
export function holdsNoCredential(text: string): boolean {
  return !(hintsAtShapes(text) || mayCarrySecrets(text) || ASSIGNS.test(text));
}
