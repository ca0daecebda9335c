import { plainSpans } from './plain-spans.ts';

/**
 * White space that is neither a blank nor the end of a line, the sign that Showdown keeps for
 * itself, tags, quotes and escapes.
 */
const STRANGE = /[\t\v\f\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff¨<>\\]/;
const BLANK = ' '.charCodeAt(0);
const NUMBER_SIGN = '#'.charCodeAt(0);
const EQUALS_SIGN = '='.charCodeAt(0);
const DIGIT_NINE = '9'.charCodeAt(0);
const FENCE = '~~~';
const HEADING = /^(#{1,6}) +([^#\s](?:.*[^#\s])?)$/;
const ALIKE = /^(?:-+|=+|\*+)$/;
const RULE = /^[-*]{3}/;
const ITEM = /^(?:[-*+]|(\d+)\.) +(\S.*)$/;
/** What Showdown could take for a list in a list. */
const INNER_ITEM = /^(?:[-+]|\d+\. )/;

/** Options that change nothing in a text without these signs. */
const IDLE_WITHOUT: Readonly<Record<string, string>> = {
  tables: '|',
  strikethrough: '~~',
  tasklists: '[',
  emoji: ':',
};

function isIdle(options: object, text: string): boolean {
  return Object.keys(options).every((name) => {
    const sign = Object.hasOwn(IDLE_WITHOUT, name) ? IDLE_WITHOUT[name] : undefined;
    return sign !== undefined && !text.includes(sign);
  });
}

/** Reads a text line by line. Each method answers whether the text is still one it can write. */
class PlainMarkdown {
  readonly #blocks: string[] = [];
  readonly #ids = new Map<string, number>();
  #paragraph = '';
  #list: 'ul' | 'ol' | null = null;
  #items = '';
  /** The last line but blank ones belonged to a list. */
  #followsList = false;
  #followsBlank = true;

  line(line: string): boolean {
    const isGood = line === '' ? this.#blank() : this.#filled(line);
    this.#followsBlank = line === '';
    return isGood;
  }

  #blank(): boolean {
    this.#followsList ||= this.#list !== null;
    return this.#closed();
  }

  #filled(line: string): boolean {
    const first = line.charCodeAt(0);
    if (first === BLANK || line.charCodeAt(line.length - 1) === BLANK) return false;
    if (first === NUMBER_SIGN) return this.#heading(line);
    if (first <= EQUALS_SIGN && ALIKE.test(line)) return this.#rule(line);
    const item = first <= DIGIT_NINE ? ITEM.exec(line) : null;
    if (item !== null) return this.#item(item);
    if (line.startsWith(FENCE)) return false;
    this.#followsList = false;
    if (this.#list !== null) return false;
    this.#paragraph = this.#paragraph === '' ? line : `${this.#paragraph}\n${line}`;
    return true;
  }

  #heading(line: string): boolean {
    const [, signs, words] = HEADING.exec(line) ?? [];
    const html = words === undefined ? null : plainSpans(words);
    if (signs === undefined || words === undefined || html === null || !this.#closed())
      return false;
    const id = this.#idOf(words);
    if (id === null) return false;
    this.#followsList = false;
    this.#blocks.push(`<h${signs.length} id="${id}">${html}</h${signs.length}>`);
    return true;
  }

  /** Showdown writes a dollar as two signs while it works, one of which gets into names. */
  #idOf(words: string): string | null {
    const id = words.replaceAll('$', 'D').replaceAll(/\W/g, '').toLowerCase();
    if (id in {}) return null;
    const times = this.#ids.get(id) ?? 0;
    this.#ids.set(id, times + 1);
    return times === 0 ? id : `${id}-${times}`;
  }

  #rule(line: string): boolean {
    if (!this.#followsBlank || !RULE.test(line)) return false;
    this.#followsList = false;
    this.#blocks.push('<hr />');
    return true;
  }

  #item([, number, words = '']: RegExpExecArray): boolean {
    const kind = number === undefined ? 'ul' : 'ol';
    const html = INNER_ITEM.test(words) ? null : plainSpans(words);
    if (html === null || this.#followsList) return false;
    if (this.#list === null) {
      if (!this.#closed()) return false;
      this.#list = kind;
      this.#items = number === undefined || number === '1' ? `<${kind}>` : `<ol start="${number}">`;
    }
    this.#items += `\n<li>${html}</li>`;
    return this.#list === kind;
  }

  #closed(): boolean {
    if (this.#list !== null) {
      this.#blocks.push(`${this.#items}\n</${this.#list}>`);
      this.#list = null;
    }
    if (this.#paragraph === '') return true;
    const html = plainSpans(this.#paragraph);
    if (html === null) return false;
    this.#paragraph = '';
    this.#blocks.push(`<p>${html}</p>`);
    return true;
  }

  /** The whole text, once its last line is read; null where that could not be written. */
  html(): string | null {
    return this.#closed() ? this.#blocks.join('\n') : null;
  }
}

/**
 * What Showdown makes of a text of headings, paragraphs, rules and flat lists, in a tenth of its
 * time; null for every other text, and with options that could change it.
 */
export function plainMarkdown(markdown: string, options: object): string | null {
  if (STRANGE.test(markdown)) return null;
  if (!isIdle(options, markdown)) return null;
  const text = new PlainMarkdown();
  let at = 0;
  while (at < markdown.length) {
    const end = markdown.indexOf('\n', at);
    const next = end === -1 ? markdown.length : end;
    if (!text.line(markdown.slice(at, next))) return null;
    at = next + 1;
  }
  return text.html();
}
