import { looksSecret } from './secret-names.ts';
import { findSecretShapes, isPlaceholder } from './secret-shapes.ts';
import type { Value } from './value.ts';

/** A credential as plain text, and where it stands. */
export interface SecretHit {
  readonly path: string;
  readonly text: string;
}

const MAX_SCANNED = 1_048_576;
/** `name: "value"`, `name = 'value'`, `"name":"value"`, also inside of quoted JSON. */
const ASSIGNED =
  /(?<![\w-])([A-Za-z_][\w-]{1,60})\\?["'`]?\s{0,20}(?::|=>?|:=)\s{0,20}\\?(["'`])([^"'`\s\\]{8,500})\\?\2/g;
/** What a text that holds such an assignment must contain. */
const ASSIGNS = /pass|pwd|secret|token|key|auth|credential|[?&]sig/i;
/** `?name=value` of an address. */
const QUERIED = /[?&]([A-Za-z_][\w.-]{0,40})=([^&\s"'`{}<>#\\]{8,500})/g;
/** A text in quotes that does not name an element or a member. */
const QUOTED = /(?<!\$\(\s{0,3}|\[\s{0,3})(["'`])([^"'`\s]{8,500})\1/g;
const QUERY_NAMES = /^(?:key|token|sig|signature|auth|hapikey|apikey)$/i;
const PASSWORD = /pass|pwd/i;
/** What begins so is read from elsewhere at run time. */
const REFERENCE = /^(?:\$|process\.|env\.|os\.|https?:|\{\{|<)/i;
const PLURAL = /(secret|password|key|credential)s$/i;
/** Members of a structure that never hold the secret itself. */
const WORDS: ReadonlySet<string> = new Set(
  '__rl mode type name id key label title description cachedResultName cachedResultUrl placeholder'.split(
    ' ',
  ),
);
const SHORTEST = 8;

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

function namesSecret(label: string): boolean {
  if (holdsSecret(label)) return true;
  return label.endsWith('s') && holdsSecret(label.replace(PLURAL, '$1'));
}

function isSecretLabel(label: Value | undefined): boolean {
  return typeof label === 'string' && namesSecret(label);
}

/** True for a text that somebody chose or was given, not a word of a configuration. */
function isChosen(text: string): boolean {
  if (text.length < SHORTEST || /\s/.test(text)) return false;
  return /\d/.test(text) && !REFERENCE.test(text) && !isPlaceholder(text);
}

function assigned(text: string): string[] {
  const out: string[] = [];
  for (const [, name = '', , value = ''] of text.matchAll(ASSIGNED)) {
    const isPassword = PASSWORD.test(name) && !REFERENCE.test(value) && !isPlaceholder(value);
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
  if (!ASSIGNS.test(scanned)) return shaped;
  return [...new Set([...shaped, ...assigned(scanned)])];
}

/** The text around the expressions of a template. */
function aroundExpressions(text: string): string[] {
  const out: string[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    const close = open < 0 ? -1 : text.indexOf('}}', open);
    out.push(text.slice(from, open < 0 ? text.length : open));
    if (close < 0) return out;
    from = close + 2;
  }
}

/** The literal parts of what a field named for a secret computes. */
function literalsOf(text: string): string[] {
  const body = text.startsWith('=') ? text.slice(1) : text;
  const quoted = [...body.matchAll(QUOTED)].map((match) => match[2] ?? '');
  const words = aroundExpressions(body).flatMap((part) => part.split(/\s+/));
  return [...quoted, ...words.filter((word) => !/["'`]/.test(word))].filter(isChosen);
}

class Scan {
  readonly hits: SecretHit[] = [];

  value(value: Value, path: string, isNamed: boolean): void {
    if (typeof value === 'string') this.text(value, path, isNamed);
    else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) this.value(item, `${path}.${i}`, isNamed);
    } else if (value instanceof Map) this.members(value, path, isNamed);
  }

  private members(value: ReadonlyMap<string, Value>, path: string, isNamed: boolean): void {
    const isPair = isSecretLabel(value.get('name')) || isSecretLabel(value.get('key'));
    for (const [key, item] of value) {
      const at = path === '' ? key : `${path}.${key}`;
      for (const text of findSecretShapes(key)) this.hits.push({ path, text });
      const isSecret = namesSecret(key) || (isPair && key === 'value');
      this.value(item, at, isSecret || (isNamed && !WORDS.has(key)));
    }
  }

  private text(text: string, path: string, isNamed: boolean): void {
    const named = isNamed && text.length <= MAX_SCANNED ? literalsOf(text) : [];
    const inText = secretsInText(text);
    if (named.length === 0 && inText.length === 0) return;
    for (const hit of new Set([...inText, ...named])) {
      this.hits.push({ path, text: hit });
    }
  }
}

/**
 * Credentials beyond those that stand whole under a secret's name: known by their form wherever
 * they stand, assigned in code, JSON or an address, inside of a structure or computed text under a
 * secret's name.
 */
export function findHiddenSecrets(value: Value, path: string): SecretHit[] {
  const scan = new Scan();
  scan.value(value, path, false);
  return scan.hits;
}
