const NEWLINE = '\n';

/** The text without newlines at its ends, in one look: a pattern takes the square of long rows of them. */
export function withoutOuterNewlines(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text[from] === NEWLINE) from += 1;
  while (to > from && text[to - 1] === NEWLINE) to -= 1;
  return text.slice(from, to);
}

/** Markdown while it is written: the end of all of it, and the content of what is open. */
export class WrittenMarkdown {
  /** What is written since the last `hold` that is not released. */
  #text = '';
  /** What was written before each `hold`, and the last character then. */
  readonly #held: (readonly [text: string, last: string])[] = [];
  #last = '';
  #newlines = 0;

  /** How many newlines are in the white space that all of it ends in. */
  get newlines(): number {
    return this.#newlines;
  }

  /** White space would say nothing more here. */
  get isSpaced(): boolean {
    return this.#last === '' || this.#last === ' ' || this.#last === NEWLINE;
  }

  /** Adds a text that ends in no newline. */
  add(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.#last = text.charAt(text.length - 1);
    this.#newlines = 0;
  }

  /** Adds a line break within a paragraph. */
  breakLine(): void {
    this.#text += '  \n';
    this.#last = NEWLINE;
    this.#newlines += 1;
  }

  /** Adds the newlines that are missing to as many. */
  endLine(count: number): void {
    if (this.#newlines >= count) return;
    this.#text += NEWLINE.repeat(count - this.#newlines);
    this.#last = NEWLINE;
    this.#newlines = count;
  }

  /** Keeps what is written for itself until `release`. */
  hold(): void {
    this.#held.push([this.#text, this.#last]);
    this.#text = '';
  }

  /** What is written since `hold`. It is taken away: what becomes of it is to be added. */
  release(): string {
    const content = this.#text;
    [this.#text, this.#last] = this.#held.pop() ?? ['', ''];
    return content;
  }

  /** Adds words between marks; never two marks beside each other. */
  addMarked(text: string): void {
    this.add(this.#last === text.charAt(0) ? ` ${text}` : text);
  }

  /** The whole, without newlines around it. */
  all(): string {
    const text = withoutOuterNewlines(this.#text);
    return text.endsWith(' ') && !text.endsWith('  ') ? text.trimEnd() : text;
  }
}
