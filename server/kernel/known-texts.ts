import { type Growth, growthOf } from './grown-text.ts';

/** How texts are masked. */
export interface Masking {
  /** True only for a text in which `mask` finds nothing; true for most of them. */
  readonly isPlain: (text: string) => boolean;
  readonly mask: (text: string) => string;
  /** What makes a text not plain stands within so much of a seam of two plain texts, or beside it. */
  readonly seam: number;
}

interface KnownText {
  readonly text: string;
  readonly masked: string;
  readonly plain: boolean;
}

const LONG = 256;
const KEPT = 8;

/**
 * The long texts masked last: one text passes through many members of a run's record, and the next
 * one often goes on from it. Then only what it adds is looked through.
 */
export class KnownTexts {
  readonly #how: Masking;
  /** The one met last stands first. */
  readonly #known: KnownText[] = [];

  constructor(how: Masking) {
    this.#how = how;
  }

  /** What `mask` makes of the text. */
  masked(text: string): string {
    if (text.length < LONG) return this.#how.mask(text);
    const at = this.#known.findIndex((item) => item.text === text);
    const known = this.#known[at] ?? this.#learn(text);
    if (at !== 0) {
      this.#known.splice(at < 0 ? KEPT - 1 : at, 1);
      this.#known.unshift(known);
    }
    return known.masked;
  }

  #learn(text: string): KnownText {
    const { isPlain, mask } = this.#how;
    if (this.#staysPlain(text) || isPlain(text)) return { text, masked: text, plain: true };
    return { text, masked: mask(text), plain: false };
  }

  #staysPlain(text: string): boolean {
    const { isPlain, seam } = this.#how;
    const old = this.#longestIn(text);
    if (old === undefined) return false;
    const { before, after } = old.growth;
    return after === ''
      ? isPlain(`${before}${old.text.slice(0, seam)}`)
      : isPlain(`${old.text.slice(-seam)}${after}`);
  }

  /** Of the plain texts that this one goes on from, the one to which it adds least. */
  #longestIn(text: string): { readonly text: string; readonly growth: Growth } | undefined {
    let longest: { readonly text: string; readonly growth: Growth } | undefined;
    for (const { text: old, plain } of this.#known) {
      if (!plain || old.length <= (longest?.text.length ?? 0)) continue;
      const growth = growthOf(text, old);
      if (growth !== undefined) longest = { text: old, growth };
    }
    return longest;
  }
}
