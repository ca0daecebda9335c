import PostalMime, { type Address, type Email, type Mailbox } from 'postal-mime';
import type { BinaryReference, Item, JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { StepFailure } from '../../handler.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { fileOf } from '../../n8n/files/file-reference.ts';
import type { Api } from '../api.ts';

const KEPT = ['id', 'threadId', 'labelIds', 'sizeEstimate'];
const PREFIX = 'attachment_';

function mailboxes(addresses: readonly Address[]): Mailbox[] {
  return addresses.flatMap((one) => (one.group === undefined ? [one] : one.group));
}

/** Addresses as the source shows them: one by one, and as the text of a header. */
function shownAddresses(found: readonly Address[] | undefined): JsonObject | undefined {
  if (found === undefined || found.length === 0) return undefined;
  const value = mailboxes(found).map(({ address, name }) => ({ address, name }));
  const text = value
    .map(({ address, name }) => (name === '' ? address : `"${name}" <${address}>`))
    .join(', ');
  return { value, text };
}

function isoOf(date: string | undefined): string | undefined {
  const read = new Date(date ?? '');
  return Number.isNaN(read.getTime()) ? undefined : read.toISOString();
}

/** What is told of a mail; what it does not have is left out. */
function shownMail(mail: Email): JsonObject {
  const { from, to, cc, bcc, replyTo, subject, messageId, inReplyTo, references } = mail;
  const shown = {
    headers: Object.fromEntries(mail.headerLines.map(({ key, line }) => [key, line])),
    html: mail.html ?? false,
    text: mail.text,
    ...{ subject, messageId, inReplyTo, references },
    date: isoOf(mail.date),
    from: shownAddresses(from === undefined ? undefined : [from]),
    to: shownAddresses(to),
    cc: shownAddresses(cc),
    bcc: shownAddresses(bcc),
    replyTo: shownAddresses(replyTo),
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

function bytesIn(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return new Uint8Array(content);
}

/** The files of a mail, where the step wants them. */
function filesOf({ settings }: OneItem, { attachments }: Email): Record<string, BinaryReference> {
  if (!settings.isOn('options.downloadAttachments')) return {};
  const prefix = settings.text('options.dataPropertyAttachmentsPrefixName', PREFIX);
  const files = attachments.map(({ filename, mimeType, content }, index) => {
    const facts = { fileName: filename ?? undefined, mimeType };
    return [`${prefix}${index}`, fileOf(bytesIn(content), facts)] as const;
  });
  return Object.fromEntries(files);
}

/** A message with all of its texts, and its files where the step wants them. @throws StepFailure */
export async function readWholeMessage(api: Api, one: OneItem, id: string): Promise<Item> {
  const message = await api.send('GET /gmail/v1/users/me/messages/{@path.id}', {
    path: { id },
    query: { format: 'raw' },
  });
  const { raw, ...facts } = isObject(message) ? message : {};
  if (typeof raw !== 'string') throw new StepFailure('Gmail gave a message without its content.');
  const bytes = Uint8Array.fromBase64(raw, { alphabet: 'base64url' });
  const mail = await PostalMime.parse(bytes);
  const binary = filesOf(one, mail);
  const kept = Object.entries(facts).filter(([name]) => KEPT.includes(name));
  return {
    json: { ...Object.fromEntries(kept), ...shownMail(mail) },
    ...(Object.keys(binary).length === 0 ? {} : { binary }),
    pairedItem: { item: one.at },
  };
}
