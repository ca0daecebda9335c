import type { Item } from '../../items/item.ts';
import { StepFailure } from '../handler.ts';
import type { Mail, MailFile } from '../mail-port.ts';
import { credentialOfKind } from './credential.ts';
import { forEachItem, type OneItem } from './each-item.ts';
import { bytesOf, fileNamed } from './files/file-reference.ts';

const NAMELESS = 'unknown';

function filesOf({ item, settings, call }: OneItem): MailFile[] {
  const isOld = call.node.version < 2;
  return settings.names(isOld ? 'attachments' : 'options.attachments').map((property) => {
    const file = fileNamed(item, property);
    const { fileName: name = NAMELESS, mimeType: type } = file;
    return { name, type, bytes: bytesOf(file), ...(isOld ? {} : { id: property }) };
  });
}

/** Version 1 sends whichever text it has; later ones say which is meant. */
function bodyOf({ settings, call: { node } }: OneItem): Pick<Mail, 'text' | 'html'> {
  const standard = node.version > 2 ? 'html' : 'text';
  const format = node.version < 2 ? 'both' : settings.text('emailFormat', standard);
  const text = settings.text('text');
  const html = settings.text('html');
  return {
    ...(format === 'html' || (node.version < 2 && text === '') ? {} : { text }),
    ...(format === 'text' || (node.version < 2 && html === '') ? {} : { html }),
  };
}

function mailOf(one: OneItem): Mail {
  const { settings, call } = one;
  if (settings.text('operation', 'send') !== 'send')
    throw new StepFailure('This step only sends mails, and its operation is another one.');
  if (settings.isOn('options.allowUnauthorizedCerts'))
    throw new StepFailure(
      'The step wants to trust any certificate. Certificates are always checked here: give the server one that this machine trusts, and remove the option.',
    );
  const place = call.node.version < 2 ? '' : 'options.';
  return {
    from: settings.text('fromEmail'),
    to: settings.text('toEmail'),
    cc: settings.text(`${place}ccEmail`),
    bcc: settings.text(`${place}bccEmail`),
    replyTo: settings.text('options.replyTo'),
    subject: settings.text('subject'),
    ...bodyOf(one),
    files: filesOf(one),
  };
}

/** Send Email, all versions: one mail for each item, and an item of what the server told. */
export const handleEmailSend = forEachItem(async (one): Promise<readonly Item[]> => {
  const { call, at } = one;
  const mail = mailOf(one);
  const { host, port, secure, user, password } = await credentialOfKind(call, 'smtp', 'smtp');
  const json = await call.mail({ host, port: Number(port), secure, user, password }, mail);
  return [{ json, pairedItem: { item: at } }];
});
