import type { JsonObject } from '../../kernel/json.ts';
import { isObject } from '../../kernel/json.ts';
import type { RunCreatedTable, RunOutcomesTable, RunsTable } from '../../store/platform-tables.ts';
import { parseObject, parseObjects, redactObject } from '../redaction.ts';
import { MAX_LIST_ITEMS, shortenMembers } from '../run-reads/limit-checkpoint.ts';
import { createdFields, type OutcomeColumns, outcomeMetadata, statusFields } from './run-view.ts';

/** Longer texts have a short form for lists. */
const MAX_LIST_CHARS = 32_768;
/** Members of long metadata that a list leaves out. */
const MAX_MEMBER_CHARS = 4096;

/** `spec`, `frozen_spec` and their like say only that they are there. */
function withoutLongMembers(metadata: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => {
      const long = JSON.stringify(value).length > MAX_MEMBER_CHARS;
      return [name, long && isObject(value) ? { _limited: true } : value];
    }),
  );
}

type CreatedTexts = Omit<RunCreatedTable, 'seq'>;
/** The metadata of a create as it is shown: whole, and short where it is long. */
export type ShownTexts = Pick<CreatedTexts, 'metadata' | 'short'>;
export type OutcomeTexts = Omit<RunOutcomesTable, 'seq' | 'fresh'>;

/** What a request brought as metadata, redacted once and for all (contract/platform.md 9). */
export function shownTexts(createdMetadata: string): ShownTexts {
  const shown = redactObject(parseObject(createdMetadata));
  const metadata = JSON.stringify(shown);
  const long = metadata.length > MAX_LIST_CHARS;
  return {
    metadata,
    short: long ? JSON.stringify(shortenMembers(withoutLongMembers(shown))) : null,
  };
}

/** All that a request brought; `shown` where its metadata was redacted already. */
export function createdTexts(
  row: RunsTable,
  shown: ShownTexts = shownTexts(row.created_metadata),
): CreatedTexts {
  return { fields: JSON.stringify(createdFields(row)), ...shown };
}

/** Long messages are not kept twice: only lists show messages, and lists show few of them. */
function outcomeForms(
  row: OutcomeColumns,
  known: readonly JsonObject[] | undefined,
): Pick<OutcomeTexts, 'fields' | 'short_fields'> {
  const status = statusFields(row);
  const messages = known ?? parseObjects(row.messages);
  const listed = (items: readonly JsonObject[]): string => {
    const { output_text, messages: few } = shortenMembers({
      output_text: status.output_text,
      messages: [...items],
    });
    return JSON.stringify({ ...status, output_text, messages: few });
  };
  if (row.messages.length > MAX_LIST_CHARS) {
    const redacted = messages.map((item, at) => (at < MAX_LIST_ITEMS ? redactObject(item) : item));
    return { fields: JSON.stringify(status), short_fields: listed(redacted) };
  }
  const redacted = messages.map(redactObject);
  const fields = JSON.stringify({ ...status, messages: redacted });
  return { fields, short_fields: fields.length > MAX_LIST_CHARS ? listed(redacted) : null };
}

/** What the execution has made of a run so far, redacted; `messages` spares reading them. */
export function outcomeTexts(row: OutcomeColumns, messages?: readonly JsonObject[]): OutcomeTexts {
  const shown = outcomeMetadata(row);
  const metadata = JSON.stringify(shown);
  return {
    ...outcomeForms(row, messages),
    metadata,
    short_metadata: metadata.length > MAX_LIST_CHARS ? JSON.stringify(shortenMembers(shown)) : null,
  };
}
