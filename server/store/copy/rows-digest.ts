import { createHash } from 'node:crypto';
import type { StoredRow, StoredValue } from './copied-table.ts';

/** How many rows there are, and one number of all that they hold, whatever their order. */
export interface RowsDigest {
  readonly rows: number;
  /** Hexadecimal. */
  readonly checksum: string;
}

const WORD = 64;

/** Each kind has a mark of its own, so that values of different kinds are never alike. */
function bytesOf(value: StoredValue): readonly [mark: string, bytes: Buffer] {
  if (value === null) return ['n', Buffer.alloc(0)];
  if (typeof value === 'string') return ['t', Buffer.from(value)];
  if (typeof value === 'bigint') return ['i', Buffer.from(value.toString())];
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    // Stores do not all tell the two zeros apart.
    bytes.writeDoubleBE(value + 0);
    return ['r', bytes];
  }
  return ['b', value];
}

/** Adds rows up: the sum of a hash of each, so that the order of the rows does not matter. */
export class DigestOfRows {
  #rows = 0;
  #high = 0n;
  #low = 0n;

  add(row: StoredRow): void {
    const hash = createHash('sha256');
    for (const value of row) {
      const [mark, bytes] = bytesOf(value);
      hash.update(`${mark}${bytes.length}:`).update(bytes);
    }
    const digest = hash.digest();
    this.#rows += 1;
    this.#high = BigInt.asUintN(WORD, this.#high + digest.readBigUInt64BE(0));
    this.#low = BigInt.asUintN(WORD, this.#low + digest.readBigUInt64BE(8));
  }

  get result(): RowsDigest {
    const hex = (word: bigint): string => word.toString(16).padStart(WORD / 4, '0');
    return { rows: this.#rows, checksum: `${hex(this.#high)}${hex(this.#low)}` };
  }
}
