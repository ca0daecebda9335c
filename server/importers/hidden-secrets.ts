import { findSecretShapes } from '../kernel/secret-shapes.ts';
import { isChosen, namesSecret, secretsInText } from '../kernel/secrets-in-text.ts';
import type { Value } from './value.ts';

/** A credential as plain text, and where it stands. */
export interface SecretHit {
  readonly path: string;
  readonly text: string;
}

const MAX_SCANNED = 1_048_576;
/** A text in quotes that does not name an element or a member. */
const QUOTED = /(?<!\$\(\s{0,3}|\[\s{0,3})(["'`])([^"'`\s]{8,500})\1/g;
/** Members of a structure that never hold the secret itself. */
const WORDS: ReadonlySet<string> = new Set(
  '__rl mode type name id key label title description cachedResultName cachedResultUrl placeholder'.split(
    ' ',
  ),
);
function isSecretLabel(label: Value | undefined): boolean {
  return typeof label === 'string' && namesSecret(label);
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
