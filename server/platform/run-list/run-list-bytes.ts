import type { ListFacts } from '../lists/page-items.ts';

/** JSON texts of objects that one item of GET /runs is put together from. */
export interface RunItem {
  readonly created: string;
  readonly outcome: string;
  readonly createdMetadata: string;
  readonly outcomeMetadata: string;
}

const COMMA = 0x2c;
const METADATA = ',"metadata":';

/** Writes texts one behind the other; a long list is never one text that is encoded afterwards. */
class Bytes {
  readonly #bytes: Buffer;
  #end = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  add(text: string): void {
    this.#end += this.#bytes.write(text, this.#end);
  }

  /** One object with the members of two that share none. */
  addBoth(first: string, second: string): void {
    if (first === '{}' || second === '{}') {
      this.add(first === '{}' ? second : first);
      return;
    }
    this.add(first);
    this.#end -= 1;
    const joint = this.#end;
    this.add(second);
    this.#bytes[joint] = COMMA;
  }

  /** Takes the brace back that ends what was written. */
  reopen(): void {
    this.#end -= 1;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }
}

function sizeOf(item: RunItem): number {
  return (
    Buffer.byteLength(item.created) +
    Buffer.byteLength(item.outcome) +
    Buffer.byteLength(item.createdMetadata) +
    Buffer.byteLength(item.outcomeMetadata) +
    METADATA.length +
    2
  );
}

/**
 * The answer of GET /runs as UTF-8: `{"runs": [...]}` with the members of `facts` behind it. Nothing
 * is parsed, and no text of the whole is made. `briefs` are the texts of runs that are told in brief.
 */
export function runListBytes(
  items: readonly RunItem[],
  facts: ListFacts,
  briefs: readonly string[] = [],
): Uint8Array {
  const before = '{"runs":[';
  const inBrief = briefs.length === 0 ? '' : `"brief":[${briefs.join(',')}],`;
  const after = `],${inBrief}${JSON.stringify(facts).slice(1)}`;
  const size = items.reduce((sum, item) => sum + sizeOf(item), before.length);
  const bytes = new Bytes(size + Buffer.byteLength(after));
  bytes.add(before);
  for (const [index, item] of items.entries()) {
    if (index > 0) bytes.add(',');
    bytes.addBoth(item.created, item.outcome);
    bytes.reopen();
    bytes.add(METADATA);
    bytes.addBoth(item.createdMetadata, item.outcomeMetadata);
    bytes.add('}');
  }
  bytes.add(after);
  return bytes.written;
}
