import { afterAll, describe, expect, it } from 'vitest';
import { type ServiceTry, startServicePeer } from '../../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const credential = { kind: 'bearer', token: 'the-token-of-docs' } as const;
const API = 'https://docs.googleapis.com/v1/documents';
const DOCUMENT = {
  documentId: 'd1',
  body: {
    content: [
      { sectionBreak: {} },
      {
        paragraph: {
          elements: [{ textRun: { content: 'One ' } }, { textRun: { content: 'line\n' } }],
        },
      },
      { paragraph: { elements: [{ inlineObjectElement: {} }, { textRun: { content: 'Two\n' } }] } },
    ],
  },
};

function run(parameters: ServiceTry['parameters'], answer: unknown = DOCUMENT) {
  const of = { type: 'googleDocs', version: 2, credential, answers: [{ json: answer }] };
  return peer.run({ ...of, parameters });
}

describe('Google Docs', () => {
  it('makes a document in a folder', async () => {
    const made = { id: 'd1', name: 'T' };
    const { asked, outputs } = await run({ title: '=T', folderId: 'f1' }, made);
    expect(asked).toMatchObject([
      {
        call: 'POST https://www.googleapis.com/drive/v3/files?supportsAllDrives=true',
        body: { name: 'T', mimeType: 'application/vnd.google-apps.document', parents: ['f1'] },
      },
    ]);
    expect(outputs?.[0]?.[0]?.json).toEqual(made);
    const { asked: plain } = await run({ title: 'T', folderId: 'default' }, made);
    expect(plain[0]?.body).not.toHaveProperty('parents');
  });

  it('reads the text of a document, or all of it', async () => {
    const get = { operation: 'get', documentURL: 'https://docs.google.com/document/d/d1/edit' };
    const { asked, outputs } = await run(get);
    expect(asked[0]?.call).toBe(`GET ${API}/d1`);
    expect(outputs?.[0]?.[0]?.json).toEqual({ documentId: 'd1', content: 'One line\nTwo\n' });
    const whole = await run({ ...get, documentURL: 'd1', simple: false });
    expect(whole.outputs?.[0]?.[0]?.json).toEqual(DOCUMENT);
  });

  it('writes text: at the end, at a place, or in place of another', async () => {
    const actionFields = [
      { action: 'insert', text: '={{ $json.t }}' },
      { text: 'x', locationChoice: 'location', index: 5 },
      { action: 'replaceAll', text: 'a', replaceText: 'b', matchCase: true },
    ];
    const update = { operation: 'update', documentURL: 'd1', actionsUi: { actionFields } };
    const { asked, outputs } = await run(update);
    expect(asked[0]?.call).toBe(`POST ${API}/d1:batchUpdate`);
    expect(asked[0]?.body).toEqual({
      requests: [
        { insertText: { text: '', endOfSegmentLocation: {} } },
        { insertText: { text: 'x', location: { index: 5 } } },
        { replaceAllText: { containsText: { text: 'a', matchCase: true }, replaceText: 'b' } },
      ],
    });
    expect(outputs?.[0]?.[0]?.json).toEqual({ documentId: 'd1' });
  });
});
