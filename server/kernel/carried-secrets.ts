import { isPlaceholder, isReference } from './secret-shapes.ts';

/** A way in which people write a credential down: the words around it tell, not its own form. */
interface Carrier {
  /** Must stand somewhere in the text: one look at most texts is enough. */
  readonly hint: RegExp;
  /** Its first group is the credential. */
  readonly pattern: RegExp;
}

const CARRIERS: readonly Carrier[] = [
  {
    hint: /cookie/i,
    pattern:
      /\bcookie["'`\\\]]{0,3}\s{0,4}[:=]\s{0,4}["'`\\]{0,3}([^\s"'`\\=;,]{1,200}=[^\r\n"'`\\]{1,8000})/gi,
  },
  {
    hint: /\bcurl\b/i,
    pattern:
      /(?<![\w-])(?:-u|--user|--proxy-user)(?:\s{1,4}|=)["'`\\]{0,3}[^\s:"'`@{}$\\]{1,100}:([^\s"'`{}$\\]{3,200})/g,
  },
  {
    hint: /identified\s/i,
    pattern:
      /\bidentified\s{1,4}(?:with\s{1,4}[^\s"']{1,60}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?\\?["']([^"'\r\n\\]{3,200})/gi,
  },
  {
    hint: /\b(?:create|alter)\s{1,4}(?:user|role|login)\b/i,
    pattern: /\bpassword\s{0,4}=?\s{0,4}N?\\?'([^'\r\n\\]{3,200})/gi,
  },
  {
    hint: /\b(?:server|data source|host|user ?id|uid|endpoint|endpointsprotocol|accountname)\s{0,4}=/i,
    pattern: /\b(?:password|pwd|accountkey|sharedaccesskey)\s{0,4}=\s{0,4}([^;\s"'`{}\\]{3,500})/gi,
  },
];

/** `password: value` and "the password is value", in text without quotes. */
const SAID =
  /(?<![\w-])(?:pass(?:word|wd|phrase|code)?|pwd|pin|secret|token|api[ _-]?key|access[ _-]?key|(?:x-)?[a-z]{1,20}-(?:key|token|secret))(?:\s{0,4}[:=]|\s(?:is|was)[:]?)\s{1,4}["'`(]?([^\s"'`,;&<>{}()[\]$\\]{6,200})/gi;
const SAYS = /pass|pwd|pin\b|secret|token|key/i;

/** Letters and end of sentence alone are a word: "password: never store it" keeps its sense. */
function isChosenWord(text: string): boolean {
  const value = text.replace(/[.,:;!?]{1,3}$/, '');
  if (value.length < 6 || isPlaceholder(value) || isReference(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9._-]/].filter((kind) => kind.test(value));
  return /\d/.test(value) ? /[A-Za-z]/.test(value) || value.length >= 8 : kinds.length >= 3;
}

/** Credentials that a text hands over in words, commands or settings. */
export function carriedSecrets(text: string): string[] {
  const found: string[] = [];
  for (const { hint, pattern } of CARRIERS) {
    if (!hint.test(text)) continue;
    for (const [, secret = ''] of text.matchAll(pattern)) {
      if (secret !== '' && !isPlaceholder(secret) && !isReference(secret)) found.push(secret);
    }
  }
  if (!SAYS.test(text)) return found;
  for (const [, value = ''] of text.matchAll(SAID)) {
    if (isChosenWord(value)) found.push(value.replace(/[.,:;!?]{1,3}$/, ''));
  }
  return found;
}

/** False for a text in which {@link carriedSecrets} finds nothing; 22 characters of it tell at most. */
export function mayCarrySecrets(text: string): boolean {
  return SAYS.test(text) || CARRIERS.some(({ hint }) => hint.test(text));
}
