import { own } from './own.ts';
import { getSeq, type SeqMap, setSeq } from './seq-map.ts';

/**
 * A map from names to values, as plain JSON: names are spread over 4,096 small records by a hash, so
 * that setting one copies little however many there are. Names of authors are safe as keys.
 */
export type NameMap<T> = SeqMap<Readonly<Record<string, T>>>;

const BUCKETS = 4096;

/** FNV-1a over the UTF-16 units. */
function bucketOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % BUCKETS;
}

/** The entry of a name. */
export function getNamed<T>(map: NameMap<T>, name: string): T | undefined {
  const bucket = getSeq(map, bucketOf(name));
  return bucket === undefined ? undefined : own(bucket, name);
}

/** The map with one entry set; the map that came in stays as it is. */
export function setNamed<T>(map: NameMap<T>, name: string, value: T): NameMap<T> {
  const at = bucketOf(name);
  return setSeq(map, at, { ...getSeq(map, at), [name]: value });
}
