import type { JsonObject } from '../../kernel/json.ts';
import { isObject } from '../../kernel/json.ts';
import type { RunCreatedTable, RunOutcomesTable, RunsTable } from '../../store/platform-tables.ts';
import { shortenMembers } from '../run-reads/limit-checkpoint.ts';
import {
  createdFields,
  createdMetadata,
  type OutcomeColumns,
  outcomeFields,
  outcomeMetadata,
} from './run-view.ts';

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

export type CreatedTexts = Omit<RunCreatedTable, 'seq'>;
export type OutcomeTexts = Omit<RunOutcomesTable, 'seq' | 'fresh'>;

/** What a request brought, redacted once and for all (contract/platform.md 9). */
export function createdTexts(row: RunsTable): CreatedTexts {
  const shown = createdMetadata(row);
  const metadata = JSON.stringify(shown);
  const long = metadata.length > MAX_LIST_CHARS;
  return {
    fields: JSON.stringify(createdFields(row)),
    metadata,
    short: long ? JSON.stringify(shortenMembers(withoutLongMembers(shown))) : null,
  };
}

/** What the execution has made of a run so far, redacted; `messages` spares reading them. */
export function outcomeTexts(row: OutcomeColumns, messages?: readonly JsonObject[]): OutcomeTexts {
  const fields = outcomeFields(row, messages);
  const text = JSON.stringify(fields);
  const shown = outcomeMetadata(row);
  const metadata = JSON.stringify(shown);
  const short = (): string => {
    const { output_text, messages } = shortenMembers({
      output_text: fields.output_text,
      messages: fields.messages,
    });
    return JSON.stringify({ ...fields, output_text, messages });
  };
  return {
    fields: text,
    metadata,
    short_fields: text.length > MAX_LIST_CHARS ? short() : null,
    short_metadata: metadata.length > MAX_LIST_CHARS ? JSON.stringify(shortenMembers(shown)) : null,
  };
}
