import { carriedSecrets } from './carried-secrets.ts';
import { isObject, type Json, type JsonObject, setOwn } from './json.ts';
import { KnownTexts } from './known-texts.ts';
import { replaceEach } from './replace-each.ts';

/** What stands where a secret stood. */
export const REDACTED = '[REDACTED]';

const TERMS = [
  'api_key',
  'apikey',
  'authorization',
  'bearer',
  'ca_bundle',
  'client_cert',
  'client_key',
  'cookie',
  'credential',
  'password',
  'passwd',
  'private_key',
  'refresh_token',
  'secret',
  'session',
  'set_cookie',
  'token',
  'email',
  'ssn',
  'social_security',
].map((term) => ({ segments: term.split('_'), fused: term.replaceAll('_', '') }));

/** Numbers are masked under these, too (decisions 41). */
const NUMBER_TERMS = ['password', 'passwd', 'secret', 'api_key', 'private_key'].map((term) => ({
  segments: term.split('_'),
  fused: term.replaceAll('_', ''),
}));

const NEVER: ReadonlySet<string> = new Set([
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'prompt_tokens',
  'completion_tokens',
  'token_usage',
  'usage',
  'tokens_input_total',
  'tokens_output_total',
  'tokens_total',
  'trace_event_count',
]);

interface Term {
  readonly segments: readonly string[];
  readonly fused: string;
}

function segmentsOf(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((segment) => segment !== '');
}

function standsAt(segments: readonly string[], at: number, term: Term): boolean {
  const last = term.segments.length - 1;
  return term.segments.every((part, index) => {
    const segment = segments[at + index];
    return segment === part || (index === last && last > 0 && segment === `${part}s`);
  });
}

function matches(segments: readonly string[], term: Term): boolean {
  return segments.some(
    (segment, at) =>
      standsAt(segments, at, term) ||
      (segment !== term.fused &&
        segment !== 'tokens' &&
        (segment.startsWith(term.fused) || segment.endsWith(term.fused))),
  );
}

const KNOWN_KEYS = new Map<string, 'all' | 'text' | 'none'>();
const MAX_KNOWN_KEYS = 2000;

/** What is masked under a key: everything that is no boolean or null, text and structures, nothing. */
function sensitivity(key: string): 'all' | 'text' | 'none' {
  const known = KNOWN_KEYS.get(key);
  if (known !== undefined) return known;
  const segments = segmentsOf(key);
  let found: 'all' | 'text' | 'none' = 'none';
  if (!NEVER.has(segments.join('_')) && TERMS.some((term) => matches(segments, term))) {
    found = NUMBER_TERMS.some((term) => matches(segments, term)) ? 'all' : 'text';
  }
  if (KNOWN_KEYS.size >= MAX_KNOWN_KEYS) KNOWN_KEYS.clear();
  if (key.length <= 100) KNOWN_KEYS.set(key, found);
  return found;
}

/** True when text under this key is masked (platform.md 9). */
export function isSensitiveKey(key: string): boolean {
  return sensitivity(key) !== 'none';
}

const EMAIL = /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}/g;
const SOCIAL_SECURITY = /\b\d{3}-\d{2}-\d{4}\b/g;
const COOKIE = /\b((?:set-)?cookie[ \t]*[:=][ \t]*)(?![ \t])[^\r\n]+/gi;
const SCHEME = /\b(Bearer|Basic|Digest)\s+[A-Za-z0-9._~+/=-]+/gi;
const LOOSE_SCHEME = /\b(Negotiate|NTLM|Token)\s+([A-Za-z0-9._~+/=-]{8,})/gi;
const KEYS = [
  /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{12,}/g,
  /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}/g,
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g,
];
const NAMES =
  '(?:[A-Za-z0-9]+[_-]?)?(?:passwords?|passwd|secrets?|credentials?|api[_-]?keys?)|authorization|token|(?:access|refresh|client|secret|private|auth|session|bearer|api)[_-]?(?:tokens?|keys?)';
const ASSIGNMENT = new RegExp(`(?<![A-Za-z0-9])(${NAMES})["']?\\s*[:=]\\s*["']?[^\\s,;&"']+`, 'gi');

/** Letters alone are taken for a word unless there are many of them. */
function looksLikeToken(value: string): boolean {
  return value.length >= 20 || /[^A-Za-z]/.test(value);
}

/** What every pattern above but that of an address needs; most texts of a run have nothing of it. */
const TRACE_OF_SECRET =
  /[:=]|-\d\d-|identified\s|curl\s|passw|secret|pwd|key|(?:bearer|basic|digest|negotiate|ntlm|token)\s|sk-|AIza|eyJ|(?:AKIA|ASIA)[A-Z0-9]|gh[pousr]_|github_pat_/i;

/** One of these stands in every text that a pattern with names or schemes matches. */
const NAME_PARTS =
  'cookie bearer basic digest negotiate ntlm token passw pwd secret credential key authorization identified curl'.split(
    ' ',
  );
const TRACE_OF_KEY = /sk-|AIza|eyJ|A[KS]IA|gh[pousr]_|github_pat_/;
const TRACE_OF_NUMBER = /-\d\d-/;

/** Looks for fixed words, which takes a small part of the time that the patterns take. */
function hasNamePart(text: string): boolean {
  const lower = text.toLowerCase();
  return NAME_PARTS.some((part) => lower.includes(part));
}

function redactOnce(text: string): string {
  return secretsOnce(text.includes('@') ? text.replace(EMAIL, '[REDACTED_EMAIL]') : text);
}

function secretsOnce(text: string): string {
  let out = text;
  if (TRACE_OF_NUMBER.test(out)) out = out.replace(SOCIAL_SECURITY, '[REDACTED_SSN]');
  const named = hasNamePart(out);
  if (named) {
    out = replaceEach(out, carriedSecrets(out), REDACTED)
      .replace(COOKIE, `$1${REDACTED}`)
      .replace(SCHEME, `$1 ${REDACTED}`)
      .replace(LOOSE_SCHEME, (whole, scheme: string, value: string) =>
        looksLikeToken(value) ? `${scheme} ${REDACTED}` : whole,
      );
  }
  if (TRACE_OF_KEY.test(out)) for (const pattern of KEYS) out = out.replace(pattern, REDACTED);
  return named ? out.replace(ASSIGNMENT, `$1=${REDACTED}`) : out;
}

/** True for a text in which {@link redactSecrets} finds nothing; what it looks for has 13 characters at most. */
export function isWithoutSecrets(text: string): boolean {
  return !(TRACE_OF_NUMBER.test(text) || TRACE_OF_KEY.test(text) || hasNamePart(text));
}

function isPlain(text: string): boolean {
  return !text.includes('@') && isWithoutSecrets(text);
}

/**
 * Masks what looks like a secret or a person's data in a text (platform.md 9). A further pass
 * changes nothing.
 */
export function redactText(text: string): string {
  return REDACTED_LAST.masked(text);
}

function redactWhole(text: string): string {
  return !text.includes('@') && !TRACE_OF_SECRET.test(text) ? text : settled(text, redactOnce);
}

/** As {@link redactText} without mail addresses, for texts that are kept. */
export function redactSecrets(text: string): string {
  return TRACE_OF_SECRET.test(text) ? settled(text, secretsOnce) : text;
}

const MAX_PASSES = 5;

function settled(text: string, once: (text: string) => string): string {
  let out = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = once(out);
    if (next === out) break;
    out = next;
  }
  return out;
}

// `authorization`, the longest word that is looked for, has one character more than the seam.
const REDACTED_LAST = new KnownTexts({ isPlain, mask: redactWhole, seam: 12 });

const MAX_DEPTH = 400;

function isHidden(key: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  const level = sensitivity(key);
  return level === 'all' || (level === 'text' && typeof value !== 'number');
}

function redactObject(value: Readonly<Record<string, unknown>>, depth: number): JsonObject {
  const out: JsonObject = {};
  // Every text that is stored comes through here: `entries` would make a list for each member.
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    setOwn(out, key, isHidden(key, item) ? REDACTED : redactAt(item, depth + 1));
  }
  return out;
}

function redactAt(value: unknown, depth: number): Json {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redactAt(item, depth + 1));
  return isObject(value) ? redactObject(value, depth) : null;
}

/** One member as it would stand in a redacted object. */
export function redactMember(key: string, value: Json): Json {
  return isHidden(key, value) ? REDACTED : redactAt(value, 1);
}

/**
 * A copy of a JSON value with secrets masked by key and by text (platform.md 9). Numbers, booleans
 * and null stay, but for numbers under passwords, secrets and keys (decisions 41).
 */
export function redactValue(value: unknown): Json {
  return redactAt(value, 0);
}

const PART = '[^\\s/\\\\\'"`<>|:;,()\\[\\]{}?*]+';
const POSIX_PATH = new RegExp(`(?<![\\w/.~\\\\-])((?:file://)?)/(?:${PART}/)+${PART}/?`, 'g');
const DRIVE_PATH = new RegExp(`(?<![A-Za-z0-9])[A-Za-z]:[\\\\/]+(?:${PART}[\\\\/]+)*${PART}`, 'g');
const UNC_PATH = new RegExp(`(?<![\\w\\\\])\\\\{2,4}(?:${PART}\\\\+)+${PART}`, 'g');

/** Replaces absolute paths of two or more parts by `[PATH]` (platform.md 9). */
export function scrubPaths(text: string): string {
  let out = text;
  if (out.includes('\\') || out.includes(':')) {
    out = out.replace(UNC_PATH, '[PATH]').replace(DRIVE_PATH, '[PATH]');
  }
  return out.includes('/') ? out.replace(POSIX_PATH, '[PATH]') : out;
}
