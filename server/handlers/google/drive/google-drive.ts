import type { BinaryReference, Item, JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { GOOGLE_DRIVE } from '../../../services/rows/google-drive.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { fileNamed, fileOf } from '../../n8n/files/file-reference.ts';
import { listIn, objectIn } from '../../n8n/settings.ts';
import type { Api } from '../api.ts';
import { eachOperation, type Operation } from '../each-operation.ts';
import { download } from './download.ts';
import { search } from './search.ts';

const FILE = '/drive/v3/files/{@path.id}';
const ROOT = 'root';
const OWN_DRIVE = 'My Drive';
const FOLDER = 'application/vnd.google-apps.folder';
const ALL_DRIVES = { supportsAllDrives: true };

function fields(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The identifier that a setting names, also in the address of a file or a folder. */
export function idIn({ settings }: OneItem, name: string, preset = ''): string {
  const found = settings.value(name, preset);
  const said = String((isObject(found) ? found['value'] : found) ?? '');
  const [, id = said] =
    /\/(?:d|folders)\/([\w-]+)/.exec(said) ?? /[?&]id=([\w-]+)/.exec(said) ?? [];
  return id;
}

/** Where a file is put: a folder, or the drive itself. */
function parentOf(one: OneItem): string {
  const folder = idIn(one, 'folderId', ROOT) || ROOT;
  const drive = idIn(one, 'driveId', OWN_DRIVE);
  return folder === ROOT && drive !== '' && drive !== OWN_DRIVE ? drive : folder;
}

/** Uploads what a file holds, then names it and puts it in its place. */
async function uploaded(
  api: Api,
  one: OneItem,
  file: BinaryReference,
  name: string,
): Promise<JsonObject> {
  const made = await api.send('POST /upload/drive/v3/files', {
    query: { uploadType: 'media', ...ALL_DRIVES },
    file,
  });
  const query = { addParents: parentOf(one), fields: '*', ...ALL_DRIVES };
  const path = { id: String(fields(made)['id'] ?? '') };
  return fields(await api.send(`PATCH ${FILE}`, { path, query, json: { name } }));
}

const upload: Operation = (api, one) => {
  const { settings, item } = one;
  const property = settings.text('inputDataFieldName', 'data') || 'data';
  const file = fileNamed(item, property);
  return uploaded(api, one, file, settings.text('name') || (file.fileName ?? property));
};

const createFromText: Operation = (api, one) => {
  const { settings } = one;
  const bytes = new TextEncoder().encode(settings.text('content'));
  const file = fileOf(bytes, { mimeType: 'text/plain' });
  return uploaded(api, one, file, settings.text('name') || 'Untitled');
};

const copy: Operation = async (api, one) => {
  const { settings } = one;
  const description = settings.text('options.description');
  const isSame = settings.value('sameFolder', true) !== false;
  const json = {
    ...(settings.text('name') === '' ? {} : { name: settings.text('name') }),
    ...(description === '' ? {} : { description }),
    ...(isSame ? {} : { parents: [parentOf(one)] }),
  };
  const sent = { path: { id: idIn(one, 'fileId') }, query: ALL_DRIVES, json };
  return fields(await api.send(`POST ${FILE}/copy`, sent));
};

const move: Operation = async (api, one) => {
  const path = { id: idIn(one, 'fileId') };
  const before = await api.send(`GET ${FILE}`, {
    path,
    query: { fields: 'parents', ...ALL_DRIVES },
  });
  const { parents } = fields(before);
  const removeParents = Array.isArray(parents) ? parents.join(',') : '';
  const query = { addParents: parentOf(one), removeParents, ...ALL_DRIVES };
  return fields(await api.send(`PATCH ${FILE}`, { path, query, json: {} }));
};

/** Shares a file or a folder with whoever the step names. */
function share(setting: string): Operation {
  return async (api, one) => {
    const { settings } = one;
    const json = objectIn(settings.object('permissionsUi'), 'permissionsValues');
    const query = { ...settings.object('options'), ...ALL_DRIVES };
    const sent = { path: { id: idIn(one, setting) }, query, json };
    return fields(await api.send(`POST ${FILE}/permissions`, sent));
  };
}

/** Into the bin, or away for good. */
async function removed(api: Api, one: OneItem, id: string): Promise<void> {
  const sent = { path: { id }, query: ALL_DRIVES };
  if (one.settings.isOn('options.deletePermanently')) await api.send(`DELETE ${FILE}`, sent);
  else await api.send(`PATCH ${FILE}`, { ...sent, json: { trashed: true } });
}

const deleteFile: Operation = async (api, one) => {
  const id = idIn(one, 'fileId');
  await removed(api, one, id);
  return { id, success: true };
};

const deleteFolder: Operation = async (api, one) => {
  const fileId = idIn(one, 'folderNoRootId');
  await removed(api, one, fileId);
  return { fileId, success: true };
};

const update: Operation = async (api, one) => {
  const { settings } = one;
  const name = settings.text('newUpdatedFileName');
  const trashed = settings.value('options.trashed');
  const json = { ...(name === '' ? {} : { name }), ...(trashed === undefined ? {} : { trashed }) };
  const sent = { path: { id: idIn(one, 'fileId') }, query: ALL_DRIVES, json };
  return fields(await api.send(`PATCH ${FILE}`, sent));
};

const createFolder: Operation = async (api, one) => {
  const { settings } = one;
  const color = settings.text('options.folderColorRgb');
  const json = {
    name: settings.text('name') || 'Untitled',
    mimeType: FOLDER,
    parents: [parentOf(one)],
    ...(color === '' ? {} : { folderColorRgb: color }),
  };
  const isWhole = settings.value('options.simplifyOutput') === false;
  const query = { ...ALL_DRIVES, ...(isWhole ? { fields: '*' } : {}) };
  return fields(await api.send('POST /drive/v3/files', { query, json }));
};

const downloadFile: Operation = async (api, one): Promise<{ items: readonly Item[] }> => ({
  items: [await download(api, one, idIn(one, 'fileId'))],
});

const find: Operation = async (api, one) => {
  const wanted = one.settings.isOn('returnAll')
    ? Number.POSITIVE_INFINITY
    : Number(one.settings.value('limit', 50));
  const found: JsonObject[] = [];
  const asked = search(one, idIn(one, 'filter.driveId'), idIn(one, 'filter.folderId'));
  let pageToken: unknown;
  do {
    const pageSize = Math.min(1000, wanted - found.length);
    const query = { ...asked, pageSize, ...(pageToken === undefined ? {} : { pageToken }) };
    const page = await api.send('GET /drive/v3/files', { query });
    found.push(...listIn(page, 'files'));
    pageToken = fields(page)['nextPageToken'];
  } while (pageToken !== undefined && found.length < wanted);
  return found.slice(0, wanted);
};

/** Google Drive, from version 3 on: files and folders. */
export const handleGoogleDrive = eachOperation(GOOGLE_DRIVE, {
  resource: 'file',
  operation: { file: 'upload', folder: 'create', fileFolder: 'search' },
  of: {
    'file/upload': upload,
    'file/createFromText': createFromText,
    'file/download': downloadFile,
    'file/copy': copy,
    'file/move': move,
    'file/share': share('fileId'),
    'file/deleteFile': deleteFile,
    'file/update': update,
    'folder/create': createFolder,
    'folder/deleteFolder': deleteFolder,
    'folder/share': share('folderNoRootId'),
    'fileFolder/search': find,
  },
});
