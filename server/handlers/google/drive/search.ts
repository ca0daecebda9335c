import type { JsonObject } from '../../../items/item.ts';
import type { OneItem } from '../../n8n/each-item.ts';

const FOLDER = 'application/vnd.google-apps.folder';
const EVERYTHING = '*';

/** A text within a query of the service. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function kindOf({ settings }: OneItem): string[] {
  const what = settings.text('filter.whatToSearch', 'all');
  if (what === 'folders') return [`mimeType = '${FOLDER}'`];
  const types = namesOf(settings.value('filter.fileTypes')).filter((one) => one !== EVERYTHING);
  const isOne = types.map((type) => `mimeType = ${quoted(type)}`).join(' or ');
  if (what !== 'files') return [];
  return [`mimeType != '${FOLDER}'`, ...(isOne === '' ? [] : [`(${isOne})`])];
}

function queryOf(one: OneItem, folder: string): string {
  const { settings } = one;
  const text = settings.text('queryString');
  const isQuery = settings.text('searchMethod', 'name') === 'query';
  const parts = [
    ...(text === '' ? [] : [isQuery ? text : `name contains ${quoted(text)}`]),
    ...kindOf(one),
    ...(folder === '' ? [] : [`${quoted(folder)} in parents`]),
    ...(settings.isOn('filter.includeTrashed') ? [] : ['trashed = false']),
  ];
  return parts.join(' and ');
}

/** What a search asks for: files and folders with their names, or more fields. */
export function search(one: OneItem, drive: string, folder: string): JsonObject {
  const fields = namesOf(one.settings.value('options.fields'));
  const shown = fields.includes(EVERYTHING) ? EVERYTHING : fields.join(', ') || 'id, name';
  const where =
    drive === ''
      ? { corpora: 'allDrives' }
      : drive === 'My Drive'
        ? { corpora: 'user' }
        : { corpora: 'drive', driveId: drive };
  return {
    ...{ q: queryOf(one, folder), fields: `nextPageToken, files(${shown})` },
    ...{ includeItemsFromAllDrives: true, supportsAllDrives: true, ...where },
  };
}
