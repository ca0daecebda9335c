import type { JsonObject } from '../../kernel/json.ts';
import type { RunCreatedTable, RunOutcomesTable, RunsTable } from '../../store/platform-tables.ts';
import { MAX_LIST_ITEMS, shortenMembers } from '../lists/shorten.ts';
import { redactObject } from '../redaction.ts';
import { MAX_LIST_CHARS, type ShownTexts, shownTexts } from './created-metadata.ts';
import type { RunChange } from './run-columns.ts';
import { createdFields, outcomeMetadata, statusFields } from './run-view.ts';
import { areLong, readMessages } from './stored-messages.ts';

type CreatedTexts = Omit<RunCreatedTable, 'seq'>;
export type OutcomeTexts = Omit<RunOutcomesTable, 'seq' | 'fresh'>;

/** All that a request brought; `shown` where its metadata was redacted already. */
export function createdTexts(
  row: RunsTable,
  shown: ShownTexts = shownTexts(row.created_metadata),
): CreatedTexts {
  return { fields: JSON.stringify(createdFields(row)), ...shown };
}

/** Long messages are not kept twice: only lists show messages, and lists show few of them. */
function outcomeForms(
  row: RunChange,
  known: readonly JsonObject[] | undefined,
): Pick<OutcomeTexts, 'fields' | 'short_fields'> {
  const status = statusFields(row);
  const messages = known ?? readMessages(row.messages);
  const listed = (items: readonly JsonObject[]): string => {
    const { output_text, messages: few } = shortenMembers({
      output_text: status.output_text,
      messages: [...items],
    });
    return JSON.stringify({ ...status, output_text, messages: few });
  };
  if (areLong(messages)) {
    const redacted = messages.map((item, at) => (at < MAX_LIST_ITEMS ? redactObject(item) : item));
    return { fields: JSON.stringify(status), short_fields: listed(redacted) };
  }
  const redacted = messages.map(redactObject);
  const fields = JSON.stringify({ ...status, messages: redacted });
  return { fields, short_fields: fields.length > MAX_LIST_CHARS ? listed(redacted) : null };
}

/** What the execution has made of a run so far, redacted; `messages` spares reading them. */
export function outcomeTexts(row: RunChange, messages?: readonly JsonObject[]): OutcomeTexts {
  const shown = outcomeMetadata(row);
  const metadata = JSON.stringify(shown);
  return {
    ...outcomeForms(row, messages),
    metadata,
    short_metadata: metadata.length > MAX_LIST_CHARS ? JSON.stringify(shortenMembers(shown)) : null,
  };
}
