import type { OneItem } from './each-item.ts';
import { forEachItem } from './each-item.ts';
import { copyOf, pathOf, setPath } from './field-path.ts';
import { FieldFailure } from './fields.ts';
import { bytesOf, fileNamed } from './files/file-reference.ts';

function encoded(bytes: Uint8Array, encoding: string): string {
  return encoding === 'base64' ? bytes.toBase64() : bytes.toHex();
}

const UTF8 = new TextEncoder();

function dataOf({ item, settings }: OneItem): Uint8Array {
  if (settings.isOn('binaryData'))
    return bytesOf(fileNamed(item, settings.text('binaryPropertyName', 'data')));
  return UTF8.encode(settings.text('value'));
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** So many of the letters, each as likely as the others. */
function randomLetters({ call }: OneItem, count: number): string {
  const most = 256 - (256 % LETTERS.length);
  let text = '';
  while (text.length < count)
    for (const byte of call.crypto.randomBytes(count))
      if (byte < most && text.length < count) text += LETTERS[byte % LETTERS.length];
  return text;
}

function generated(one: OneItem): string {
  const { call, settings } = one;
  const encoding = settings.text('encodingType', 'uuid');
  if (encoding === 'uuid') return call.crypto.randomUuid();
  const count = Number(settings.value('stringLength', 32));
  const bytes = call.crypto.randomBytes(count);
  switch (encoding) {
    case 'hex':
      return bytes.toHex().slice(0, count);
    case 'base64':
      return bytes.toBase64().replaceAll(/\W/g, '').slice(0, count);
    default:
      return randomLetters(one, count);
  }
}

function computed(one: OneItem): string {
  const { call, settings } = one;
  const action = settings.text('action', 'hash');
  if (action === 'generate') return generated(one);
  const algorithm = settings.text('type', 'MD5');
  const encoding = settings.text('encoding', 'hex');
  const data = dataOf(one);
  switch (action) {
    case 'hash':
      return encoded(call.crypto.hash(algorithm, data), encoding);
    case 'hmac':
      return encoded(call.crypto.hmac(algorithm, settings.text('secret'), data), encoding);
    case 'sign': {
      const named = settings.text('algorithm');
      return encoded(call.crypto.sign(named, settings.text('privateKey'), data), encoding);
    }
    default:
      throw new FieldFailure(`Crypto has no action '${action}'`);
  }
}

/** Crypto: digests, keyed digests, signatures, and what chance gives; one field more. */
export const handleCrypto = forEachItem((one) => {
  const { item, at, settings } = one;
  const json = copyOf(item.json);
  setPath(json, pathOf(settings.text('dataPropertyName', 'data')), computed(one));
  return [{ ...item, json, pairedItem: { item: at } }];
});
