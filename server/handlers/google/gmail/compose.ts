import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import type { Mail, MailFile } from '../../mail-port.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { bytesOf, fileNamed } from '../../n8n/files/file-reference.ts';
import { listIn } from '../../n8n/settings.ts';
import type { Api } from '../api.ts';

const NO_ADDRESSES = { from: '', to: '', cc: '', bcc: '', replyTo: '', subject: '' };

function filesOf({ settings, item }: OneItem): MailFile[] {
  const named = listIn(settings.object('options.attachmentsUi'), 'attachmentsBinary');
  return named
    .flatMap(({ property }) => String(property ?? '').split(','))
    .map((property) => property.trim())
    .filter((property) => property !== '')
    .map((property) => {
      const file = fileNamed(item, property);
      return { name: file.fileName ?? property, type: file.mimeType, bytes: bytesOf(file) };
    });
}

async function ownAddress(api: Api): Promise<string> {
  const profile = await api.send('GET /gmail/v1/users/me/profile');
  return isObject(profile) ? String(profile['emailAddress'] ?? '') : '';
}

async function senderOf(api: Api, { settings }: OneItem): Promise<string> {
  const alias = settings.text('options.fromAlias');
  if (alias !== '') return alias;
  const name = settings.text('options.senderName');
  return name === '' ? '' : `${name} <${await ownAddress(api)}>`;
}

/** The mail that a step's settings describe. */
export async function mailOf(api: Api, one: OneItem, more: Partial<Mail>): Promise<Mail> {
  const { settings } = one;
  const isText = settings.text('emailType', 'html') === 'text';
  const message = settings.text('message');
  return {
    ...NO_ADDRESSES,
    from: await senderOf(api, one),
    cc: settings.text('options.ccList'),
    bcc: settings.text('options.bccList'),
    replyTo: settings.text('options.replyTo'),
    subject: settings.text('subject'),
    ...(isText ? { text: message } : { html: message }),
    files: filesOf(one),
    ...more,
  };
}

/** A mail as the service takes it. */
export async function rawMail({ call }: OneItem, mail: Mail): Promise<string> {
  const bytes = await call.composeMail(mail);
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** The headers of a message by their names in lower case. */
export function headersOf(message: unknown): JsonObject {
  const payload = isObject(message) ? message['payload'] : undefined;
  const named = listIn(payload, 'headers').map(
    ({ name, value }) => [String(name).toLowerCase(), value] as const,
  );
  return Object.fromEntries(named);
}

function addressesIn(text: unknown): string[] {
  const parts = String(text ?? '').match(/(?:"[^"]*"|[^,])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** To whom an answer goes: the sender, and all others it went to but oneself. */
export async function answerTo(
  api: Api,
  { settings }: OneItem,
  headers: JsonObject,
): Promise<string> {
  const senders = addressesIn(headers['from']);
  if (settings.isOn('options.replyToSenderOnly')) return senders.join(', ');
  const own = await ownAddress(api);
  const all = [...senders, ...addressesIn(headers['to'])];
  return [...new Set(all)].filter((one) => own === '' || !one.includes(own)).join(', ');
}

/** The mail that answers a message. */
export async function answerOf(api: Api, one: OneItem, message: unknown): Promise<Mail> {
  const headers = headersOf(message);
  const subject = String(headers['subject'] ?? '');
  const id = String(headers['message-id'] ?? '');
  const mail = await mailOf(api, one, {
    to: await answerTo(api, one, headers),
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
  });
  return id === '' ? mail : { ...mail, answersTo: id };
}
