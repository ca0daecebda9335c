import { isObject, type JsonObject } from '../../kernel/json.ts';
import type { RunCreatedTable } from '../../store/platform-tables.ts';
import { shortenMembers } from '../lists/shorten.ts';
import { parseObject, redactObject } from '../redaction.ts';

/** Longer texts have a short form for lists. */
export const MAX_LIST_CHARS = 32_768;
/** Members of long metadata that a list leaves out. */
const MAX_MEMBER_CHARS = 4096;
/** Longer metadata are not kept. */
const MAX_KEPT_CHARS = 65_536;
const KEPT = 8;

/** The metadata of a create as it is shown: whole, and short where it is long. */
export type ShownTexts = Pick<RunCreatedTable, 'metadata' | 'short'>;

interface Shown {
  readonly metadata: JsonObject;
  readonly texts: ShownTexts;
}

/** `spec`, `frozen_spec` and their like say only that they are there. */
function withoutLongMembers(metadata: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => {
      const long = JSON.stringify(value).length > MAX_MEMBER_CHARS;
      return [name, long && isObject(value) ? { _limited: true } : value];
    }),
  );
}

function show(text: string): Shown {
  const shown = redactObject(parseObject(text));
  const metadata = JSON.stringify(shown);
  const short =
    metadata.length > MAX_LIST_CHARS
      ? JSON.stringify(shortenMembers(withoutLongMembers(shown)))
      : null;
  return { metadata: shown, texts: { metadata, short } };
}

/** What was shown last, the newest at the end: runs of one workflow bring the same metadata. */
const LAST = new Map<string, Shown>();

function shownOf(text: string): Shown {
  if (text.length > MAX_KEPT_CHARS) return show(text);
  const shown = LAST.get(text) ?? show(text);
  LAST.delete(text);
  LAST.set(text, shown);
  const [oldest] = LAST.keys();
  if (LAST.size > KEPT && oldest !== undefined) LAST.delete(oldest);
  return shown;
}

/** What a request brought as metadata, redacted, as texts (contract/platform.md 9). */
export function shownTexts(createdMetadata: string): ShownTexts {
  return shownOf(createdMetadata).texts;
}

/** What a request brought as metadata, redacted (contract/platform.md 3.4); not to be changed. */
export function shownMetadata(createdMetadata: string): Readonly<JsonObject> {
  return shownOf(createdMetadata).metadata;
}
