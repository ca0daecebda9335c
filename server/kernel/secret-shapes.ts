/**
 * Credentials that can be told by their own form: vendor prefixes, keys in headers and addresses.
 * Every one is linear: no two beginnings of a match may read the same characters without end.
 * `linear-patterns.test.ts` counts the work of each pattern of the product.
 */
const SHAPES: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abposr]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\bya29\.[0-9A-Za-z_-]{20,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\bgsk_[A-Za-z0-9]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{30,}/g,
  // Tied to the dot: tied to its beginning it would be read to the end of a run from each `eyJ` in it.
  /\.(?<=(?<head>\bey[JK][A-Za-z0-9_-]{10,})\.)[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----[A-Za-z0-9+/=\\\s]{16,8000}/g,
  /https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/g,
];

const BEARER = /\b(?:Bearer|Basic|Token) ((?=[A-Za-z._~+/=-]{0,200}\d)[A-Za-z0-9._~+/=-]{12,})/g;
const USER_INFO = /:\/\/(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@{}]{1,200}:([^\s/@{}]{4,200})@/gi;
/** What any of the forms above must contain, but for addresses; one look at most texts is enough. */
const HINT =
  /sk-|_live_|_test_|gh[pousr]_|github_pat|glpat|xox|AKIA|AIza|ya29|hf_|gsk_|npm_|SG\.|:AA|ey[JK]|BEGIN|hooks\.slack|Bearer|Basic|Token/i;
const ADDRESS = '://';
const ADDRESS_HINT = /:\/\/[^\s/]*@/;
const SHORTEST = 12;
const NONE: readonly string[] = [];
const MAX_SCANNED = 1_048_576;

/** Placeholders that people write where a credential goes. */
const PLACEHOLDER = /^(?:your|my|the|xxx|<|\[|insert|replace|example|placeholder|token|key)/i;

/** What begins so is read from elsewhere at run time. */
const REFERENCE = /^(?:\$|process\.|env\.|os\.|https?:|\{\{|<)/i;

/** True for what names the place of a credential instead of being one. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

/** True for what people write where a credential goes. */
export function isPlaceholder(text: string): boolean {
  const rest = text.replace(/^(?:sk-|Bearer\s+)/i, '');
  return PLACEHOLDER.test(rest) || /^(.)\1+$/.test(rest) || /x{6,}|\*{4,}|\.{4,}/i.test(rest);
}

function hasHint(text: string): boolean {
  return HINT.test(text) || (text.includes(ADDRESS) && ADDRESS_HINT.test(text));
}

/** Every credential in a text that is known by its form alone (importers 10). */
export function findSecretShapes(text: string): readonly string[] {
  const scanned = text.length > MAX_SCANNED ? text.slice(0, MAX_SCANNED) : text;
  if (scanned.length < SHORTEST || !hasHint(scanned)) return NONE;
  const found = new Set<string>();
  for (const shape of SHAPES) {
    for (const match of scanned.matchAll(shape)) {
      found.add(`${match.groups?.['head'] ?? ''}${match[0]}`);
    }
  }
  for (const pattern of [BEARER, USER_INFO]) {
    for (const [, secret] of scanned.matchAll(pattern)) {
      if (secret !== undefined) found.add(secret);
    }
  }
  return [...found].filter((hit) => !isPlaceholder(hit));
}

/** False for a text in which {@link findSecretShapes} finds nothing; eleven characters of it tell. */
export function hintsAtShapes(text: string): boolean {
  return HINT.test(text) || text.includes(ADDRESS);
}
