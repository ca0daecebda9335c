import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { UpdateChannel } from '../../preload/desktop-api.ts';
import { replaceFileSync } from '../../server/files/durable-write.ts';
import { isObject } from '../../server/kernel/json.ts';

/** An installation whose new program has not proved good yet. */
export interface PendingUpdate {
  readonly from: string;
  readonly to: string;
  /** Starts of the new program so far. */
  readonly starts: number;
}

/** What the updater remembers between two starts. */
export interface UpdateRecord {
  readonly channel: UpdateChannel;
  readonly automatic: boolean;
  readonly onQuit: boolean;
  readonly checkedAt: string | undefined;
  /** The latest date that each feed was seen with. */
  readonly seen: Readonly<Record<string, string>>;
  readonly pending: PendingUpdate | undefined;
  /** The version before, once the update proved good. */
  readonly before: string | undefined;
}

const FIRST: UpdateRecord = {
  channel: 'stable',
  automatic: false,
  onQuit: true,
  checkedAt: undefined,
  seen: {},
  pending: undefined,
  before: undefined,
};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

function readPending(value: unknown): PendingUpdate | undefined {
  if (!isObject(value)) return undefined;
  const { from, to, starts } = value;
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  return { from, to, starts: typeof starts === 'number' ? starts : 0 };
}

/** Reads a record; what it does not understand counts as never written. */
export function parseUpdateRecord(json: string): UpdateRecord {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return FIRST;
  }
  if (!isObject(value)) return FIRST;
  const seen = isObject(value['seen']) ? Object.entries(value['seen']) : [];
  return {
    channel: value['channel'] === 'beta' ? 'beta' : 'stable',
    automatic: value['automatic'] === true,
    onQuit: value['onQuit'] !== false,
    checkedAt: text(value['checkedAt']),
    seen: Object.fromEntries(
      seen.flatMap(([name, date]) => (typeof date === 'string' ? [[name, date]] : [])),
    ),
    pending: readPending(value['pending']),
    before: text(value['before']),
  };
}

export interface UpdateRecordFile {
  readonly value: UpdateRecord;
  /** Merges and writes. @throws the system's error */
  update(part: Partial<UpdateRecord>): void;
}

/** The record in a file, which is made with the first change. */
export function openUpdateRecord(file: string): UpdateRecordFile {
  let value = FIRST;
  try {
    value = parseUpdateRecord(readFileSync(file, 'utf8'));
  } catch {
    value = FIRST;
  }
  return {
    get value() {
      return value;
    },
    update(part) {
      const next = { ...value, ...part };
      mkdirSync(path.dirname(file), { recursive: true });
      replaceFileSync(file, JSON.stringify(next));
      value = next;
    },
  };
}
