import type { Item } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { fileOf } from '../../n8n/files/file-reference.ts';
import { objectIn } from '../../n8n/settings.ts';
import type { Api } from '../api.ts';

const FILE = 'GET /drive/v3/files/{@path.id}';
const OWN_KIND = 'application/vnd.google-apps.';

/** What a document of the service is given as: the setting that says it, and its usual value. */
const GIVEN_AS: Readonly<Record<string, readonly [setting: string, preset: string]>> = {
  document: ['docsToFormat', 'text/html'],
  drawing: ['drawingsToFormat', 'image/jpeg'],
  presentation: [
    'slidesToFormat',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  spreadsheet: ['sheetsToFormat', 'text/csv'],
};

/** Downloads a file beside the fields of the item; a document of the service in another format. */
export async function download(api: Api, one: OneItem, id: string): Promise<Item> {
  const { settings, item, at } = one;
  const path = { id };
  const query = { fields: 'mimeType,name', supportsAllDrives: true };
  const facts = await api.send(FILE, { path, query });
  const { mimeType, name } = isObject(facts) ? facts : {};
  const kind = String(mimeType ?? '');
  const own = kind.startsWith(OWN_KIND) ? GIVEN_AS[kind.slice(OWN_KIND.length)] : undefined;
  const formats = objectIn(settings.object('options.googleFileConversion'), 'conversion');
  const type = own === undefined ? kind : String(formats[own[0]] ?? own[1]);
  const answer =
    own === undefined
      ? await api.receive(FILE, { path, query: { alt: 'media', supportsAllDrives: true } })
      : await api.receive(`${FILE}/export`, { path, query: { mimeType: type } });
  const property = settings.text('options.binaryPropertyName', 'data') || 'data';
  const fileName = settings.text('options.fileName') || String(name ?? '');
  const file = fileOf(answer.body, { fileName, mimeType: type === '' ? undefined : type });
  const binary = { ...item.binary, [property]: file };
  return { json: item.json, binary, pairedItem: { item: at } };
}
