/** Reads a pattern character by character; positions are code points. */
export class PatternReader {
  readonly characters: readonly string[];
  at = 0;

  constructor(pattern: string) {
    this.characters = [...pattern];
  }

  get done(): boolean {
    return this.at >= this.characters.length;
  }

  /** The next character, '' at the end. */
  get peek(): string {
    return this.characters[this.at] ?? '';
  }

  next(): string {
    const character = this.peek;
    this.at += 1;
    return character;
  }

  /** Takes a text if it comes next. */
  take(text: string): boolean {
    const length = [...text].length;
    if (this.characters.slice(this.at, this.at + length).join('') !== text) return false;
    this.at += length;
    return true;
  }

  /** Takes everything up to an end mark, and the mark. */
  upTo(mark: string): string {
    const end = this.characters.indexOf(mark, this.at);
    if (end === -1) throw new SyntaxError(`missing ${mark}`);
    const text = this.characters.slice(this.at, end).join('');
    this.at = end + 1;
    return text;
  }

  /** Takes as many characters as a test accepts, at most `limit`. */
  while(accepts: RegExp, limit = Number.POSITIVE_INFINITY): string {
    let text = '';
    while (text.length < limit && !this.done && accepts.test(this.peek)) text += this.next();
    return text;
  }
}
