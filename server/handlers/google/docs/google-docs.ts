import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { GOOGLE_DOCS } from '../../../services/rows/google-docs.ts';
import { StepFailure } from '../../handler.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { listIn, objectIn } from '../../n8n/settings.ts';
import { eachOperation, type Operation } from '../each-operation.ts';

const DOCUMENT = 'application/vnd.google-apps.document';

function fields(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function pathOf({ settings }: OneItem): { readonly id: string } {
  const said = settings.text('documentURL');
  const [, id = said] = /\/d\/([\w-]+)/.exec(said) ?? [];
  return { id };
}

/** A document is a file of the drive. */
const create: Operation = async (api, { settings }) => {
  const folder = settings.text('folderId', 'default');
  const parents = folder === '' || folder === 'default' ? {} : { parents: [folder] };
  const json = { name: settings.text('title'), mimeType: DOCUMENT, ...parents };
  const query = { supportsAllDrives: true };
  return fields(await api.send('POST https://www.googleapis.com/drive/v3/files', { query, json }));
};

/** The text of a document, its paragraphs one behind the other. */
function textOf(document: JsonObject): string {
  return listIn(document['body'], 'content')
    .flatMap((part) => listIn(objectIn(part, 'paragraph'), 'elements'))
    .map((element) => String(objectIn(element, 'textRun')['content'] ?? ''))
    .join('');
}

const get: Operation = async (api, one) => {
  const document = fields(await api.send('GET /documents/{@path.id}', { path: pathOf(one) }));
  if (one.settings.value('simple', true) === false) return document;
  return { documentId: document['documentId'], content: textOf(document) };
};

function changeOf(action: JsonObject): JsonObject {
  const text = String(action['text'] ?? '');
  if (action['action'] === 'replaceAll') {
    const containsText = { text, matchCase: action['matchCase'] === true };
    const replaceText = String(action['replaceText'] ?? '');
    return { replaceAllText: { containsText, replaceText } };
  }
  if ((action['action'] ?? 'insert') !== 'insert')
    throw new StepFailure(`There is no action '${String(action['action'])}' here.`);
  return action['locationChoice'] === 'location'
    ? { insertText: { text, location: { index: Number(action['index'] ?? 1) } } }
    : { insertText: { text, endOfSegmentLocation: {} } };
}

const update: Operation = async (api, one) => {
  const { settings } = one;
  const requests = listIn(settings.object('actionsUi'), 'actionFields').map(changeOf);
  const request = 'POST /documents/{@path.id}:batchUpdate';
  const answer = fields(await api.send(request, { path: pathOf(one), json: { requests } }));
  return settings.value('simple', true) === false ? answer : { documentId: answer['documentId'] };
};

/** Google Docs: documents of text. */
export const handleGoogleDocs = eachOperation(GOOGLE_DOCS, {
  resource: 'document',
  operation: { document: 'create' },
  of: { 'document/create': create, 'document/get': get, 'document/update': update },
});
