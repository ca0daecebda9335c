const FEW = 16;
const HEAD = 4;

interface Alike {
  readonly texts: Set<string>;
  /** The longest first. */
  readonly lengths: number[];
}

/** By their first characters, so that a place of a text is compared with few of them. */
function byHead(parts: readonly string[]): Map<string, Alike> {
  const heads = new Map<string, Alike>();
  for (const part of parts) {
    const head = part.slice(0, HEAD);
    const alike = heads.get(head) ?? { texts: new Set(), lengths: [] };
    alike.texts.add(part);
    if (!alike.lengths.includes(part.length)) alike.lengths.push(part.length);
    heads.set(head, alike);
  }
  for (const { lengths } of heads.values()) lengths.sort((a, b) => b - a);
  return heads;
}

function lengthAt(text: string, at: number, heads: ReadonlyMap<string, Alike>): number {
  const alike = heads.get(text.slice(at, at + HEAD));
  return alike?.lengths.find((size) => alike.texts.has(text.slice(at, at + size))) ?? 0;
}

function replaceMany(text: string, parts: readonly string[], by: string): string {
  const heads = byHead(parts);
  let out = '';
  let kept = 0;
  let end = 0;
  for (let at = 0; at <= text.length - HEAD; at += 1) {
    const size = lengthAt(text, at, heads);
    if (size === 0) continue;
    // What overlaps the one before is a part of the same place.
    if (at >= end) {
      out += text.slice(kept, at) + by;
    }
    end = Math.max(end, at + size);
    kept = end;
  }
  return out + text.slice(kept);
}

/**
 * The text with `by` in place of every part. One pass for many: a pass for each costs minutes where
 * a text of a megabyte holds thousands.
 */
export function replaceEach(text: string, parts: readonly string[], by: string): string {
  const long = parts.filter((part) => part.length >= HEAD);
  const short = parts.filter((part) => part.length > 0 && part.length < HEAD);
  const many = long.length > FEW;
  // The longest first: a shorter one may be a part of it.
  const single = (many ? short : [...long, ...short]).sort((a, b) => b.length - a.length);
  const start = many ? replaceMany(text, long, by) : text;
  return single.reduce((out, part) => out.replaceAll(part, by), start);
}
