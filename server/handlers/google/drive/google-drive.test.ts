import { afterAll, describe, expect, it } from 'vitest';
import { type ServiceTry, startServicePeer } from '../../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const API = 'https://www.googleapis.com/drive/v3/files';
const credential = { kind: 'bearer', token: 'the-token-of-drive' } as const;
const FACTS = { json: { id: 'f1', name: 'a.txt' } };
const FILE = { mimeType: 'text/plain', fileName: 'note.txt', data: btoa('of the file') };
const file = { __rl: true, mode: 'url', value: 'https://drive.google.com/file/d/f1/view' };
const folder = { __rl: true, mode: 'list', value: 'p1' };
const drive = { __rl: true, mode: 'list', value: 'My Drive' };

function run(parameters: ServiceTry['parameters'], more: Partial<ServiceTry> = {}) {
  const of = { type: 'googleDrive', version: 3, credential, answers: [FACTS, FACTS] };
  return peer.run({ ...of, ...more, parameters });
}

describe('files', () => {
  it('are uploaded under a name and into a folder', async () => {
    const items = [{ json: {}, binary: { data: FILE } }];
    const parameters = { name: '=n.txt', driveId: drive, folderId: folder };
    const { asked, outputs } = await run(parameters, { items });
    expect(asked).toMatchObject([
      {
        call: 'POST https://www.googleapis.com/upload/drive/v3/files?uploadType=media&supportsAllDrives=true',
        headers: { 'content-type': 'text/plain' },
        body: 'of the file',
      },
      {
        call: `PATCH ${API}/f1?addParents=p1&fields=%2A&supportsAllDrives=true`,
        body: { name: 'n.txt' },
      },
    ]);
    expect(outputs).toEqual([[{ json: FACTS.json, pairedItem: { item: 0 } }]]);
    const own = await run({ driveId: { ...drive, value: 'd9' } }, { items });
    expect(own.asked[1]?.call).toContain('addParents=d9&');
    expect(own.asked[1]?.body).toEqual({ name: 'note.txt' });
    expect((await run({})).failed).toContain("a binary file 'data'");
  });

  it('are made of text', async () => {
    const text = { operation: 'createFromText', content: 'Grüße', name: 'g.txt' };
    const { asked } = await run(text);
    expect(asked[0]).toMatchObject({ headers: { 'content-type': 'text/plain' }, body: 'Grüße' });
    expect(asked[1]?.call).toContain('addParents=root&');
  });

  it('are downloaded beside the item, documents in another format', async () => {
    const bytes = Buffer.from('hi');
    const download = { operation: 'download', fileId: file };
    const plain = { json: { name: 'a.bin', mimeType: 'application/octet-stream' } };
    const items = [{ json: { n: 1 } }];
    const one = await run(download, { items, answers: [plain, { bytes }] });
    expect(one.asked.map(({ call }) => call)).toEqual([
      `GET ${API}/f1?fields=mimeType%2Cname&supportsAllDrives=true`,
      `GET ${API}/f1?alt=media&supportsAllDrives=true`,
    ]);
    expect(one.outputs?.[0]?.[0]).toMatchObject({
      json: { n: 1 },
      binary: { data: { data: 'aGk=', fileName: 'a.bin', mimeType: 'application/octet-stream' } },
    });
    const sheet = { json: { name: 'S', mimeType: 'application/vnd.google-apps.spreadsheet' } };
    const two = await run(download, { answers: [sheet, { bytes }] });
    expect(two.asked[1]?.call).toBe(`GET ${API}/f1/export?mimeType=text%2Fcsv`);
    const conversion = { sheetsToFormat: 'application/pdf' };
    const options = {
      googleFileConversion: { conversion },
      binaryPropertyName: 'doc',
      fileName: 'x',
    };
    const three = await run({ ...download, options }, { answers: [sheet, { bytes }] });
    expect(three.outputs?.[0]?.[0]?.binary).toMatchObject({
      doc: { fileName: 'x', mimeType: 'application/pdf' },
    });
  });

  it.each([
    [{ operation: 'copy', name: 'C' }, `POST ${API}/f1/copy?supportsAllDrives=true`, { name: 'C' }],
    [
      { operation: 'copy', sameFolder: false, folderId: folder },
      `POST ${API}/f1/copy?supportsAllDrives=true`,
      { parents: ['p1'] },
    ],
    [{ operation: 'deleteFile' }, `PATCH ${API}/f1?supportsAllDrives=true`, { trashed: true }],
    [
      { operation: 'deleteFile', options: { deletePermanently: true } },
      `DELETE ${API}/f1?supportsAllDrives=true`,
      '',
    ],
    [
      { operation: 'update', newUpdatedFileName: 'N', options: { trashed: false } },
      `PATCH ${API}/f1?supportsAllDrives=true`,
      { name: 'N', trashed: false },
    ],
    [
      {
        operation: 'share',
        permissionsUi: { permissionsValues: { role: 'reader', type: 'anyone' } },
        options: { sendNotificationEmail: false },
      },
      `POST ${API}/f1/permissions?sendNotificationEmail=false&supportsAllDrives=true`,
      { role: 'reader', type: 'anyone' },
    ],
  ])('%j', async (parameters, call, body) => {
    const { asked } = await run({ fileId: file, ...parameters });
    expect(asked).toMatchObject([{ call, body }]);
  });

  it('are moved out of the folders they were in', async () => {
    const before = { json: { parents: ['old', 'older'] } };
    const move = { operation: 'move', fileId: file, folderId: folder };
    const { asked } = await run(move, { answers: [before, FACTS] });
    expect(asked[1]?.call).toBe(
      `PATCH ${API}/f1?addParents=p1&removeParents=old%2Colder&supportsAllDrives=true`,
    );
  });
});

describe('folders', () => {
  it('are made and put into the bin', async () => {
    const { asked } = await run({ resource: 'folder', name: 'F', folderId: folder });
    expect(asked).toMatchObject([
      {
        call: `POST ${API}?supportsAllDrives=true`,
        body: { name: 'F', mimeType: 'application/vnd.google-apps.folder', parents: ['p1'] },
      },
    ]);
    const gone = { resource: 'folder', operation: 'deleteFolder', folderNoRootId: folder };
    const { outputs } = await run(gone);
    expect(outputs?.[0]?.[0]?.json).toEqual({ fileId: 'p1', success: true });
  });

  it('are searched page by page', async () => {
    const pages = [
      { files: [{ id: 'a' }], nextPageToken: 'n' },
      { files: [{ id: 'b' }, { id: 'c' }] },
    ];
    const filter = { whatToSearch: 'files', fileTypes: ['text/plain', 'x/y'], folderId: folder };
    const parameters = { resource: 'fileFolder', queryString: "it's", limit: 2, filter };
    const { asked, outputs } = await run(parameters, { answers: pages.map((json) => ({ json })) });
    const asks = new URL(asked[1]?.call.replace('GET ', '') ?? '').searchParams;
    expect(Object.fromEntries(asks)).toEqual({
      q: "name contains 'it\\'s' and mimeType != 'application/vnd.google-apps.folder' and (mimeType = 'text/plain' or mimeType = 'x/y') and 'p1' in parents and trashed = false",
      ...{ fields: 'nextPageToken, files(id, name)', includeItemsFromAllDrives: 'true' },
      ...{ supportsAllDrives: 'true', corpora: 'allDrives', pageSize: '1', pageToken: 'n' },
    });
    expect(outputs?.[0]?.map(({ json }) => json)).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it('are searched by a query of the author', async () => {
    const options = { fields: ['permissions', 'id'] };
    const filter = { driveId: drive, whatToSearch: 'all', includeTrashed: true };
    const parameters = {
      resource: 'fileFolder',
      searchMethod: 'query',
      queryString: 'starred',
      options,
      filter,
    };
    const { asked } = await run(parameters, { answers: [{ json: { files: [] } }] });
    const asks = new URL(asked[0]?.call.replace('GET ', '') ?? '').searchParams;
    expect(Object.fromEntries(asks)).toMatchObject({
      ...{ q: 'starred', fields: 'nextPageToken, files(permissions, id)', corpora: 'user' },
    });
  });
});
