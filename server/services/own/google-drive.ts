import type { OwnOperation, OwnService } from '../own-operations.ts';

const PLACE = ['driveId', 'folderId'];
const PERMISSIONS = [
  ...['permissionsUi.permissionsValues', 'options.emailMessage'],
  ...['options.moveToNewOwnersRoot', 'options.sendNotificationEmail'],
  ...['options.transferOwnership', 'options.useDomainAdminAccess'],
];

function onFile(...settings: readonly string[]): OwnOperation {
  return { settings: ['fileId', ...settings], needed: ['fileId'] };
}

function onFolder(...settings: readonly string[]): OwnOperation {
  return { settings: ['folderNoRootId', ...settings], needed: ['folderNoRootId'] };
}

/** What is done of Google Drive, from version 3 on. */
export const GOOGLE_DRIVE_OPERATIONS: OwnService = {
  type: 'n8n-nodes-base.googleDrive',
  resource: 'file',
  operation: { file: 'upload', folder: 'create', fileFolder: 'search' },
  of: {
    'file/upload': { settings: ['inputDataFieldName', 'name', ...PLACE, 'options.simplifyOutput'] },
    'file/createFromText': { settings: ['content', 'name', ...PLACE] },
    'file/download': onFile(
      ...['options.binaryPropertyName', 'options.fileName'],
      'options.googleFileConversion.conversion',
    ),
    'file/copy': onFile('name', 'sameFolder', ...PLACE, 'options.description'),
    'file/move': { settings: ['fileId', ...PLACE], needed: ['fileId', 'folderId'] },
    'file/share': onFile(...PERMISSIONS),
    'file/deleteFile': onFile('options.deletePermanently'),
    'file/update': {
      ...onFile('changeFileContent', 'newUpdatedFileName', 'options.trashed'),
      values: { changeFileContent: [false] },
    },
    'folder/create': {
      settings: ['name', ...PLACE, 'options.folderColorRgb', 'options.simplifyOutput'],
    },
    'folder/deleteFolder': onFolder('options.deletePermanently'),
    'folder/share': onFolder(...PERMISSIONS),
    'fileFolder/search': {
      settings: [
        ...['searchMethod', 'queryString', 'returnAll', 'limit', 'options.fields'],
        ...['driveId', 'folderId', 'whatToSearch', 'fileTypes', 'includeTrashed'].map(
          (name) => `filter.${name}`,
        ),
      ],
    },
  },
};
