/** Identifiers as a dependency, so that a run or an import can be replayed exactly. */
export interface Ids {
  /** A UUID version 4 (platform ids); later ones sort after earlier ones, see `uuidAt`. */
  uuid(): string;
  /** 32 lowercase hex characters (studio and dashboard ids). */
  hex(): string;
}

/**
 * A UUID version 4 in shape that sorts by its time: the first 48 bits are the milliseconds since
 * 1970, the other 74 come from `random`, a random UUID. Rows that are written together so lie
 * together under their keys, and a commit changes few pages (contract/platform.md, ids).
 */
export function uuidAt(milliseconds: number, random: string): string {
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0').slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}${random.slice(13)}`;
}

/** Identifiers from a clock (milliseconds since 1970) and a source of random UUIDs. */
export function idsFrom(now: () => number, randomUuid: () => string): Ids {
  return {
    uuid: () => uuidAt(now(), randomUuid()),
    hex: () => randomUuid().replaceAll('-', ''),
  };
}
