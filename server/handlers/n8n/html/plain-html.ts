/** Who is told of a text of HTML, part by part. Each method answers whether it can go on. */
export interface HtmlListener {
  /** An element that has content or an end tag. */
  readonly opened: (name: string, attributes: Attributes) => boolean;
  readonly closed: (name: string) => boolean;
  /** An element that has neither. */
  readonly stood: (name: string, attributes: Attributes) => boolean;
  /** A text as it is meant; never empty. */
  readonly said: (text: string) => boolean;
}

/** Name and value of one after the other. */
export type Attributes = readonly string[];

// What an element is, and what may stand in one.
const BLOCK = 1;
const PHRASE = 2;
const ITEM = 4;
const ROWS = 8;
const ROW = 16;
const CELL = 32;
const FLOW = BLOCK | PHRASE;

interface Element {
  readonly name: string;
  readonly end: string;
  readonly is: number;
  /** What may stand in it; null where it has no content. */
  readonly holds: number | null;
}

function elements(names: string, is: number, holds: number | null): readonly Element[] {
  return names.split(' ').map((name) => ({ name, end: `</${name}>`, is, holds }));
}

const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  [
    ...elements('article aside blockquote div footer header main nav section', BLOCK, FLOW),
    ...elements('p h1 h2 h3 h4 h5 h6', BLOCK, PHRASE),
    ...elements('a abbr b cite code del em i ins kbd label mark q', PHRASE, PHRASE),
    ...elements('s small span strong sub sup time u', PHRASE, PHRASE),
    ...elements('ul ol', BLOCK, ITEM),
    ...elements('li', ITEM, FLOW),
    ...elements('table', BLOCK, ROWS),
    ...elements('thead tbody tfoot', ROWS, ROW),
    ...elements('tr', ROW, CELL),
    ...elements('td th', CELL, FLOW),
    ...elements('br img', PHRASE, null),
    ...elements('hr', BLOCK, null),
  ].map((element) => [element.name, element]),
);
const PAGE: Element = { name: '', end: '', is: 0, holds: FLOW };

const LINK = ELEMENTS.get('a');

const SLASH = '/'.charCodeAt(0);
const DEEPEST = 100;
/** Characters that parsers drop or change. */
const STRANGE = /[^\t\n -~\u00a0-\ufefe\uff00-\uffff]/;
/** Every `&` but of the entities below, and before white space. */
const STRANGE_ENTITY = /&(?!(?:amp|lt|gt|quot|nbsp|#39);|[ \n\t])/;
const BLANKS = /^[ \n\t]*$/;
const NAME = /<([a-z][a-z0-9]*)/y;
const ATTRIBUTE = /[ \n\t]+([a-z][a-z0-9-]*)="([^"'<>]*)"/y;
const TAG_END = / ?(\/?)>/y;

const NONE: Attributes = [];

const ENTITY = /&(?:amp|lt|gt|quot|nbsp|#39);/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
  '&#39;': "'",
};

/** The whole of a text that is read, and how far it is read. */
class PlainHtml {
  readonly #html: string;
  readonly #listener: HtmlListener;
  readonly #outer: Element[] = [];
  #inner = PAGE;
  #at = 0;
  readonly #hasEntities: boolean;

  constructor(html: string, listener: HtmlListener) {
    this.#html = html;
    this.#hasEntities = html.includes('&');
    this.#listener = listener;
  }

  read(): boolean {
    const html = this.#html;
    if (STRANGE.test(html) || (this.#hasEntities && STRANGE_ENTITY.test(html))) return false;
    while (this.#at < html.length) {
      const tag = html.indexOf('<', this.#at);
      if (tag !== this.#at && !this.#text(tag === -1 ? html.length : tag)) return false;
      if (tag !== -1 && !this.#tag(tag)) return false;
    }
    return this.#inner === PAGE;
  }

  #text(end: number): boolean {
    const source = this.#html.slice(this.#at, end);
    this.#at = end;
    if (((this.#inner.holds ?? 0) & PHRASE) === 0 && !BLANKS.test(source)) return false;
    return this.#listener.said(this.#meantBy(source));
  }

  #meantBy(source: string): string {
    return this.#hasEntities
      ? source.replaceAll(ENTITY, (entity) => CHARACTERS[entity] ?? entity)
      : source;
  }

  #tag(at: number): boolean {
    const { name, end } = this.#inner;
    if (this.#html.charCodeAt(at + 1) !== SLASH) return this.#start(at);
    if (this.#inner === PAGE || !this.#html.startsWith(end, at)) return false;
    this.#at = at + end.length;
    this.#inner = this.#outer.pop() ?? PAGE;
    return this.#listener.closed(name);
  }

  #start(at: number): boolean {
    const end = this.#html.indexOf('>', at);
    const bare = ELEMENTS.get(this.#html.slice(at + 1, end));
    if (bare !== undefined) {
      this.#at = end + 1;
      return this.#element(bare, NONE);
    }
    const [, name = ''] = this.#next(NAME, at) ?? [];
    const element = ELEMENTS.get(name);
    const attributes = this.#attributes();
    const [, slash] = this.#next(TAG_END, this.#at) ?? [];
    if (element === undefined || attributes === null || slash === undefined) return false;
    return (slash === '' || element.holds === null) && this.#element(element, attributes);
  }

  /** All of a tag; null where it has one twice. */
  #attributes(): Attributes | null {
    const attributes: string[] = [];
    for (;;) {
      const found = this.#next(ATTRIBUTE, this.#at);
      if (found === null) return attributes;
      const [, name = '', source = ''] = found;
      for (let one = 0; one < attributes.length; one += 2) {
        if (attributes[one] === name) return null;
      }
      attributes.push(name, this.#meantBy(source));
    }
  }

  /** What stands at a place, if it is of this kind; reads over it. */
  #next(kind: RegExp, at: number): RegExpExecArray | null {
    kind.lastIndex = at;
    const found = kind.exec(this.#html);
    if (found !== null) this.#at = kind.lastIndex;
    return found;
  }

  #element(element: Element, attributes: Attributes): boolean {
    if (((this.#inner.holds ?? 0) & element.is) === 0) return false;
    if (element.holds === null) return this.#listener.stood(element.name, attributes);
    if (this.#outer.length === DEEPEST) return false;
    this.#outer.push(this.#inner);
    if (element === LINK && this.#outer.includes(LINK)) return false;
    this.#inner = element;
    return this.#listener.opened(element.name, attributes);
  }
}

/**
 * Tells a listener what is in a text of HTML that all parsers read alike: elements that are known,
 * in lower case, each closed by its own tag and only where it may stand, attributes in double
 * quotes, few entities, no comments. Answers whether the text is one and the listener took it.
 */
export function readPlainHtml(html: string, listener: HtmlListener): boolean {
  return new PlainHtml(html, listener).read();
}
