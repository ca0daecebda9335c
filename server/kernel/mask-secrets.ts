import { type Json, type JsonObject, setOwn } from './json.ts';
import { KnownTexts } from './known-texts.ts';
import { isSensitiveKey, isWithoutSecrets, REDACTED, redactSecrets } from './redact.ts';
import { replaceEach } from './replace-each.ts';
import { holdsNoCredential, secretsInText } from './secrets-in-text.ts';

/** Names that the redactor hides from answers although no secret stands under them. */
const PERSONAL = /session|email|ssn|social[_-]?security/i;
/** Members that name a secret instead of holding it. */
const NAMES_ONE = /(?:_ref|_refs|_env|Ref|Env)$/;
/** `${NAME}`, also behind the word of a scheme. */
const NAMED = /^\s{0,8}(?:[A-Za-z]{1,20}\s{1,4})?\$\{\w{1,200}\}\s{0,8}$/;

/** A text written by an author: only what is a credential goes, words about one stay. */
function maskAuthored(text: string): string {
  return replaceEach(text, secretsInText(text), REDACTED);
}

const MASKED_LAST = new KnownTexts({
  isPlain: (text) => holdsNoCredential(text) && isWithoutSecrets(text),
  mask: (text) => redactSecrets(maskAuthored(text)),
  // The longest thing that is looked for has 22 characters, and a boundary of a word beside them.
  seam: 24,
});

/**
 * A text without credentials, for keeping. What {@link redactText} hides of a person (mail addresses)
 * stays: a run goes on from it.
 */
export function maskText(text: string): string {
  return MASKED_LAST.masked(text);
}

type MaskOne = (text: string) => string;

/** Keys below these are names that an author chose, until a list begins. */
const CHOSEN_NAMES: ReadonlySet<string> = new Set(['outputs', 'histories', 'properties']);

class Mask {
  readonly #text: MaskOne;

  constructor(text: MaskOne) {
    this.#text = text;
  }

  value(value: Json, isChosen: boolean): Json {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value)) return this.members(value, isChosen);
    let same = true;
    const items = value.map((item) => {
      const masked = this.value(item, false);
      same &&= masked === item;
      return masked;
    });
    return same ? value : items;
  }

  member(key: string, item: Json): Json {
    if (typeof item === 'string' && holdsSecret(key, item)) return REDACTED;
    return this.value(item, CHOSEN_NAMES.has(key));
  }

  members(value: JsonObject, isChosen: boolean): JsonObject {
    const out: JsonObject = {};
    let same = true;
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (item === undefined) continue;
      const masked = isChosen ? this.value(item, true) : this.member(key, item);
      same &&= masked === item;
      setOwn(out, key, masked);
    }
    return same ? value : out;
  }
}

function holdsSecret(key: string, text: string): boolean {
  if (text === '' || PERSONAL.test(key) || NAMES_ONE.test(key) || NAMED.test(text)) return false;
  return isSensitiveKey(key);
}

const DATA = new Mask(maskText);
const AUTHORED = new Mask(maskAuthored);

/** The same value without credentials, for keeping; the very same when it holds none. */
export function maskSecrets(value: Json): Json {
  return DATA.value(value, false);
}

/** One member as it would stand in such a value. */
export function maskSecretMember(key: string, value: Json): Json {
  return DATA.member(key, value);
}

/** As {@link maskSecrets} for documents that an author wrote: words about secrets stay as they are. */
export function maskAuthoredSecrets(value: Json): Json {
  return AUTHORED.value(value, false);
}
