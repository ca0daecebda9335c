const ANY_PART = new Set([
  'apikey',
  'secret',
  'password',
  'passwd',
  'pwd',
  'authorization',
  'credential',
  'credentials',
]);
const BEFORE_KEY = new Set([
  'api',
  'private',
  'secret',
  'access',
  'client',
  'encryption',
  'signing',
  'auth',
]);
const WHOLE = new Set(['apikey', 'api_key', 'token', 'password', 'secret', 'authorization']);

function partsOf(label: string): string[] {
  const parts = label
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
  return parts[0] === 'x' ? parts.slice(1) : parts;
}

const LONGEST_KEPT = 64;
const MOST_KEPT = 2000;
const kept = new Map<string, boolean>();

/** True when a field or header of this name usually holds a secret (importers 4.10). */
export function looksSecret(label: string): boolean {
  const known = kept.get(label);
  if (known !== undefined) return known;
  const answer = decide(label);
  if (label.length <= LONGEST_KEPT && kept.size < MOST_KEPT) kept.set(label, answer);
  return answer;
}

function decide(label: string): boolean {
  const parts = partsOf(label);
  if (parts.some((part) => ANY_PART.has(part))) return true;
  const last = parts.at(-1);
  if (last === 'token') return true;
  if (last === 'key' && parts.slice(0, -1).some((part) => BEFORE_KEY.has(part))) return true;
  return WHOLE.has(label.toLowerCase().replaceAll('-', '_').replace(/^x_/, ''));
}
