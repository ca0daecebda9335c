import { type Attributes, type HtmlListener, readPlainHtml } from '../html/plain-html.ts';
import { WrittenMarkdown, withoutOuterNewlines } from './written-markdown.ts';

/** What becomes of an element. Each part answers whether it can be written. */
interface Translator {
  readonly open: (writer: MarkdownWriter, attributes: Attributes) => boolean;
  readonly close: (writer: MarkdownWriter) => boolean;
}

/** Words in which nothing is to be changed. */
const EASY = /^ ?[^\s\d\\`*_~[\]<+=>#-](?:[^\s\d\\`*_~[\]]| (?! )|\d(?!\.))*$/;
const SPACES = /\s+/g;
const ONLY_SPACES = /^\s*$/;
const MORE_THAN_BLANKS = /[^\S ]| {2}/;
const SIGNS = /[\\`*_~[\]]/;
const ALL_SIGNS = /[\\`*_~[\]]/g;
const LIST_LIKE = /^\s?[-+=>#]|\d\.\s/;
const ALL_LIST_LIKE = /^(\s*?)((?:\+\s)|[=>-]|(?:#{1,6}\s))|(\d)(\.\s)/g;
/** The library joins more newlines than these. */
const MOST_NEWLINES = 3;

function attributeOf(attributes: Attributes, name: string): string {
  for (let at = 0; at < attributes.length; at += 2) {
    if (attributes[at] === name) return attributes[at + 1] ?? '';
  }
  return '';
}

function escaped(text: string): string {
  const literal = SIGNS.test(text) ? text.replaceAll(ALL_SIGNS, '\\$&') : text;
  return LIST_LIKE.test(literal) ? literal.replaceAll(ALL_LIST_LIKE, '$1$3\\$2$4') : literal;
}

const CODES: Readonly<Record<string, string>> = { '(': '%28', ')': '%29', _: '%5F', '*': '%2A' };

function encoded(address: string): string {
  return /[()_*]/.test(address)
    ? address.replaceAll(/[()_*]/g, (sign) => CODES[sign] ?? sign)
    : address;
}

class MarkdownWriter implements HtmlListener {
  readonly written = new WrittenMarkdown();
  /** The list that is open, and the number of its last item. */
  list: { readonly isNumbered: boolean; item: number } | null = null;
  /** The link that is open, and all that is said in it. */
  link: { readonly attributes: Attributes; said: string } | null = null;
  isCode = false;
  /** Nothing was told since the last element was opened. */
  #isEmpty = false;

  opened(name: string, attributes: Attributes): boolean {
    this.#isEmpty = true;
    return !this.isCode && TRANSLATORS.get(name)?.open(this, attributes) === true;
  }

  closed(name: string): boolean {
    return !this.#isEmpty && TRANSLATORS.get(name)?.close(this) === true;
  }

  stood(name: string, attributes: Attributes): boolean {
    this.#isEmpty = false;
    const { written } = this;
    if (this.isCode) return false;
    if (name === 'img') return this.#image(attributes);
    if (name === 'hr') {
      written.endLine(2);
      written.add('---');
      written.endLine(2);
      return true;
    }
    written.breakLine();
    return this.link === null && written.newlines <= MOST_NEWLINES;
  }

  #image(attributes: Attributes): boolean {
    const address = attributeOf(attributes, 'src');
    const title = attributeOf(attributes, 'title');
    const words = title === '' ? '' : ` "${title}"`;
    this.written.add(`![${attributeOf(attributes, 'alt')}](${address}${words})`);
    return address !== '' && !/^data:/i.test(address);
  }

  said(text: string): boolean {
    const { written, link } = this;
    this.#isEmpty = false;
    if (link !== null) link.said += text;
    if (EASY.test(text)) {
      written.add(text);
      return true;
    }
    if (ONLY_SPACES.test(text)) {
      if (!written.isSpaced) written.add(' ');
      return true;
    }
    const words = MORE_THAN_BLANKS.test(text) ? text.replaceAll(SPACES, ' ') : text;
    const literal = this.isCode ? words : escaped(words);
    written.add(text.startsWith('\n') ? literal.slice(1) : literal);
    return !text.startsWith('<!');
  }
}

function block(prefix: string): Translator {
  return {
    open: ({ written }) => {
      written.endLine(2);
      written.add(prefix);
      return true;
    },
    close: ({ written }) => {
      written.endLine(2);
      return true;
    },
  };
}

/** Words between marks; the library takes these marks out of the words, and white space too. */
function marked(mark: string): Translator {
  return {
    open: ({ written }) => {
      written.hold();
      return true;
    },
    close: ({ written }) => {
      const content = written.release();
      const words = content.trim();
      const before = content.startsWith(' ') ? ' ' : '';
      const after = content.endsWith(' ') ? ' ' : '';
      written.addMarked(`${before}${mark}${words}${mark}${after}`);
      return words !== '' && !words.includes(mark) && !content.includes('\n');
    },
  };
}

const CODE: Translator = {
  open: (writer) => {
    writer.isCode = true;
    writer.written.hold();
    return writer.link === null;
  },
  close: (writer) => {
    writer.isCode = false;
    const content = writer.written.release();
    writer.written.addMarked(`\`${content}\``);
    return content.trim() !== '' && !content.includes('`');
  },
};

const LINK: Translator = {
  open: (writer, attributes) => {
    writer.link = { attributes, said: '' };
    writer.written.hold();
    writer.written.add('[');
    return attributeOf(attributes, 'href') !== '';
  },
  close: (writer) => {
    const { attributes, said } = writer.link ?? { attributes: [], said: '' };
    writer.link = null;
    const content = writer.written.release();
    const address = attributeOf(attributes, 'href');
    const title = attributeOf(attributes, 'title');
    const words = title === '' ? '' : ` "${title}"`;
    writer.written.add(
      said === address ? `<${encoded(address)}>` : `${content}](${encoded(address)}${words})`,
    );
    return true;
  },
};

const QUOTE: Translator = {
  open: ({ written }) => {
    written.endLine(2);
    written.hold();
    return true;
  },
  close: ({ written }) => {
    const content = withoutOuterNewlines(written.release());
    written.add(content.replaceAll(/^(>*)[^\S\r\n]?/gm, '>$1 '));
    written.endLine(2);
    return true;
  },
};

/** A list in a list goes to the library. */
function list(isNumbered: boolean): Translator {
  return {
    open: (writer) => {
      const isInner = writer.list !== null;
      writer.list = { isNumbered, item: 0 };
      writer.written.endLine(1);
      return !isInner;
    },
    close: (writer) => {
      writer.list = null;
      writer.written.endLine(1);
      return true;
    },
  };
}

const ITEM: Translator = {
  open: ({ list, written }) => {
    if (list === null) return false;
    list.item += 1;
    written.endLine(1);
    written.add(list.isNumbered ? `${list.item}. ` : '* ');
    written.hold();
    return true;
  },
  close: ({ written }) => {
    const content = written.release().trim();
    written.add(content);
    written.endLine(1);
    return content !== '' && !content.includes('\n');
  },
};

const SILENT: Translator = { open: () => true, close: () => true };

function each(names: string, translator: Translator): (readonly [string, Translator])[] {
  return names.split(' ').map((name) => [name, translator]);
}

const TRANSLATORS: ReadonlyMap<string, Translator> = new Map([
  ...each('p div section article header footer main nav aside', block('')),
  ...[1, 2, 3, 4, 5, 6].flatMap((level) => each(`h${level}`, block(`${'#'.repeat(level)} `))),
  ...each('strong b', marked('**')),
  ...each('em i', marked('_')),
  ...each('del s', marked('~~')),
  ...each('abbr cite ins kbd label mark q small span sub sup time u', SILENT),
  ...each('blockquote', QUOTE),
  ...each('ul', list(false)),
  ...each('ol', list(true)),
  ...each('li', ITEM),
  ...each('code', CODE),
  ...each('a', LINK),
]);

/**
 * What node-html-markdown, with no options, makes of plain HTML without tables and lists in lists,
 * in a tenth of its time; null of every other text.
 */
export function plainHtmlToMarkdown(html: string): string | null {
  const writer = new MarkdownWriter();
  return readPlainHtml(html, writer) ? writer.written.all() : null;
}
