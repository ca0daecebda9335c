import { DateTime } from 'luxon';
import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { StepFailure } from '../../handler.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { listIn } from '../../n8n/settings.ts';
import type { Api } from '../api.ts';

const SHOWN_HEADERS = ['From', 'To', 'Cc', 'Bcc', 'Subject'];

/** A moment in seconds since 1970, or as the service reads it itself (2026/01/31). @throws StepFailure */
function moment(value: unknown, zone: string): string {
  const text = String(value).trim();
  if (/^\d{4}\/\d{1,2}\/\d{1,2}$|^\d{9,10}$/.test(text)) return text;
  const read = /^\d{11,}$/.test(text)
    ? DateTime.fromMillis(Number(text))
    : DateTime.fromISO(text.replace(' ', 'T'), { zone });
  if (!read.isValid) throw new StepFailure(`'${text}' is no moment.`);
  return String(Math.floor(read.toSeconds()));
}

/** What a listing asks for: the words of a search and labels. */
export function searchQuery({ settings, call }: OneItem): JsonObject {
  const { zone } = call.step.facts;
  const text = (name: string): string => settings.text(`filters.${name}`);
  const status = text('readStatus');
  const words = [
    text('q'),
    ...(status === 'read' || status === 'unread' ? [`is:${status}`] : []),
    ...(text('sender') === '' ? [] : [`from:${text('sender')}`]),
    ...(text('receivedAfter') === '' ? [] : [`after:${moment(text('receivedAfter'), zone)}`]),
    ...(text('receivedBefore') === '' ? [] : [`before:${moment(text('receivedBefore'), zone)}`]),
  ].filter((word) => word !== '');
  const labels = settings.names('filters.labelIds');
  return {
    ...(words.length === 0 ? {} : { q: words.join(' ') }),
    ...(labels.length === 0 ? {} : { labelIds: labels }),
    ...(settings.isOn('filters.includeSpamTrash') ? { includeSpamTrash: true } : {}),
  };
}

/** The names of labels by their identifiers. */
export async function labelNames(api: Api): Promise<ReadonlyMap<string, string>> {
  const labels = listIn(await api.send('GET /gmail/v1/users/me/labels'), 'labels');
  return new Map(labels.map(({ id, name }) => [String(id), String(name)]));
}

/** A message as the source shows it simplified: its labels by name, its main headers as fields. */
function simplified(message: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const { labelIds, payload, ...rest } = message;
  const ids = Array.isArray(labelIds) ? labelIds.map(String) : [];
  const { headers: _, ...shown } = isObject(payload) ? payload : {};
  const headers = listIn(payload, 'headers').map(
    ({ name, value }) => [String(name), value] as const,
  );
  return {
    ...rest,
    payload: shown,
    labels: ids.map((id) => ({ id, name: names.get(id) ?? id })),
    ...Object.fromEntries(headers),
  };
}

/** Reads a message. @throws StepFailure */
export async function readMessage(
  api: Api,
  id: string,
  names: ReadonlyMap<string, string>,
): Promise<JsonObject> {
  const message = await api.send('GET /gmail/v1/users/me/messages/{@path.id}', {
    path: { id },
    query: { format: 'metadata', metadataHeaders: SHOWN_HEADERS },
  });
  return isObject(message) ? simplified(message, names) : {};
}
