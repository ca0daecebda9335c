import { afterAll, describe, expect, it } from 'vitest';
import { type ServiceTry, startServicePeer } from '../../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const API = 'https://gmail.googleapis.com/gmail/v1/users/me';
const credential = { kind: 'bearer', token: 'the-token-of-gmail' } as const;
const SENT = { json: { id: 'm2', threadId: 't1', labelIds: ['SENT'] } };
const PROFILE = { json: { emailAddress: 'desk@example.com' } };
const FILE = { mimeType: 'text/plain', fileName: 'note.txt', data: btoa('of the file') };

function run(parameters: ServiceTry['parameters'], more: Partial<ServiceTry> = {}) {
  return peer.run({
    type: 'gmail',
    version: 2.1,
    credential,
    answers: [SENT],
    ...more,
    parameters,
  });
}

/** The mail in the body of a request, its folded lines as one. */
function mailIn(body: unknown): string {
  const { raw, message } = body as { raw?: string; message?: { raw: string } };
  const mail = Buffer.from(raw ?? message?.raw ?? '', 'base64url').toString('utf8');
  return mail.replaceAll(/\r\n[ \t]+/g, ' ');
}

describe('Gmail sends', () => {
  it('a mail with copies and files, by its own name', async () => {
    const parameters = {
      sendTo: '={{ $json.to }}',
      subject: 'Für dich',
      message: '<b>Hi</b>',
      options: {
        ...{ ccList: 'cc@example.com', bccList: 'bcc@example.com', senderName: 'Desk' },
        ...{ replyTo: 'reply@example.com', appendAttribution: false },
        attachmentsUi: { attachmentsBinary: [{ property: 'data' }] },
      },
    };
    const items = [{ json: { to: 'ann@example.com' }, binary: { data: FILE } }];
    const { asked, outputs } = await run(parameters, { items, answers: [PROFILE, SENT] });
    expect(asked.map(({ call }) => call)).toEqual([
      `GET ${API}/profile`,
      `POST ${API}/messages/send`,
    ]);
    expect(asked[1]?.headers['authorization']).toBe('Bearer the-token-of-gmail');
    const mail = mailIn(asked[1]?.body);
    for (const line of [
      'From: Desk <desk@example.com>',
      'To: ann@example.com',
      'Cc: cc@example.com',
      'Bcc: bcc@example.com',
      'Reply-To: reply@example.com',
      'Subject: =?UTF-8?Q?F=C3=BCr_dich?=',
      'Content-Type: text/html',
      'filename=note.txt',
      FILE.data,
    ])
      expect(mail).toContain(line);
    expect(outputs).toEqual([[{ json: SENT.json, pairedItem: { item: 0 } }]]);
  });

  it('an answer in the thread, to all but itself or to the sender alone', async () => {
    const headers = [
      { name: 'From', value: '"Ann, A." <ann@example.com>' },
      { name: 'To', value: 'desk@example.com, Bob <bob@example.com>' },
      { name: 'Subject', value: 'Question' },
      { name: 'Message-ID', value: '<1@example.com>' },
    ];
    const message = { json: { id: 'm1', threadId: 't1', payload: { headers } } };
    const reply = { operation: 'reply', messageId: 'm1', message: 'Yes', emailType: 'text' };
    const { asked } = await run(reply, { answers: [message, PROFILE, SENT] });
    expect(asked[0]?.call).toBe(`GET ${API}/messages/m1?format=metadata`);
    expect(asked.at(-1)?.body).toMatchObject({ threadId: 't1' });
    const mail = mailIn(asked.at(-1)?.body);
    expect(mail).toContain('To: "Ann, A." <ann@example.com>, Bob <bob@example.com>\r\n');
    expect(mail).toContain('Subject: Re: Question');
    expect(mail).toContain('In-Reply-To: <1@example.com>');
    expect(mail).toContain('References: <1@example.com>');
    const alone = {
      ...reply,
      resource: 'thread',
      threadId: 't1',
      options: { replyToSenderOnly: true },
    };
    const one = await run(alone, { answers: [message, SENT] });
    expect(mailIn(one.asked.at(-1)?.body)).toContain('To: "Ann, A." <ann@example.com>\r\n');
  });

  it('nothing of a draft', async () => {
    const draft = { json: { id: 'd1', message: { id: 'm3' } } };
    const options = { sendTo: 'ann@example.com', threadId: 't1' };
    const parameters = {
      resource: 'draft',
      subject: 'S',
      message: 'T',
      emailType: 'text',
      options,
    };
    const { asked, outputs } = await run(parameters, { answers: [draft] });
    expect(asked).toMatchObject([
      { call: `POST ${API}/drafts`, body: { message: { threadId: 't1' } } },
    ]);
    expect(mailIn(asked[0]?.body)).toContain('To: ann@example.com');
    expect(outputs?.[0]?.[0]?.json).toEqual(draft.json);
  });
});

describe('Gmail reads', () => {
  const labels = {
    json: {
      labels: [
        { id: 'INBOX', name: 'INBOX' },
        { id: 'L1', name: 'Work' },
      ],
    },
  };
  const message = (id: string) => ({
    json: {
      ...{ id, threadId: 't1', labelIds: ['INBOX', 'L1'], snippet: 'Hi' },
      payload: { mimeType: 'text/plain', headers: [{ name: 'Subject', value: 'S' }] },
    },
  });
  const shown = (id: string) => ({
    ...{ id, threadId: 't1', snippet: 'Hi', payload: { mimeType: 'text/plain' }, Subject: 'S' },
    labels: labels.json.labels,
  });

  it('a message, simplified', async () => {
    const get = { operation: 'get', messageId: 'm1' };
    const { asked, outputs } = await run(get, { answers: [labels, message('m1')] });
    expect(asked[1]?.call).toBe(
      `GET ${API}/messages/m1?format=metadata&metadataHeaders=From&metadataHeaders=To&metadataHeaders=Cc&metadataHeaders=Bcc&metadataHeaders=Subject`,
    );
    expect(outputs?.[0]?.[0]?.json).toEqual(shown('m1'));
  });

  it('messages that are searched for, page by page', async () => {
    const filters = {
      ...{ q: 'has:attachment', sender: 'ann@example.com', readStatus: 'unread' },
      ...{ receivedAfter: '2026-01-02T00:00:00Z', labelIds: ['INBOX'], includeSpamTrash: true },
    };
    const parameters = { operation: 'getAll', limit: 2, filters };
    const pages = [
      { messages: [{ id: 'a' }], nextPageToken: 'n' },
      { messages: [{ id: 'b' }, { id: 'c' }] },
    ];
    const answers = [...pages.map((json) => ({ json })), labels, message('a'), message('b')];
    const { asked, outputs } = await run(parameters, { answers });
    const asks = new URL(asked[1]?.call.replace('GET ', '') ?? '').searchParams;
    expect(Object.fromEntries(asks)).toEqual({
      q: 'has:attachment is:unread from:ann@example.com after:1767312000',
      ...{ labelIds: 'INBOX', includeSpamTrash: 'true', maxResults: '1', pageToken: 'n' },
    });
    expect(outputs?.[0]?.map(({ json }) => json)).toEqual([shown('a'), shown('b')]);
  });

  it('a whole message with its files', async () => {
    const lines = [
      'From: "Ann A." <ann@example.com>',
      'To: desk@example.com, Bob <bob@example.com>',
      'Subject: =?UTF-8?Q?F=C3=BCr_dich?=',
      'Date: Fri, 02 Jan 2026 03:04:05 +0100',
      'Message-ID: <1@example.com>',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Hello',
      '--b',
      'Content-Type: text/plain; name=note.txt',
      'Content-Disposition: attachment; filename=note.txt',
      'Content-Transfer-Encoding: base64',
      '',
      FILE.data,
      '--b--',
      '',
    ];
    const raw = Buffer.from(lines.join('\r\n')).toString('base64url');
    const whole = { json: { id: 'm1', threadId: 't1', labelIds: ['INBOX'], historyId: '9', raw } };
    const get = { operation: 'get', messageId: 'm1', simple: false };
    const { asked, outputs } = await run(get, { answers: [whole] });
    expect(asked.map(({ call }) => call)).toEqual([`GET ${API}/messages/m1?format=raw`]);
    expect(outputs?.[0]).toEqual([
      {
        json: {
          ...{ id: 'm1', threadId: 't1', labelIds: ['INBOX'], html: false, subject: 'Für dich' },
          headers: expect.objectContaining({ subject: 'Subject: =?UTF-8?Q?F=C3=BCr_dich?=' }),
          text: expect.stringMatching(/^Hello\s*$/),
          date: '2026-01-02T02:04:05.000Z',
          messageId: '<1@example.com>',
          from: {
            value: [{ address: 'ann@example.com', name: 'Ann A.' }],
            text: '"Ann A." <ann@example.com>',
          },
          to: {
            value: [
              { address: 'desk@example.com', name: '' },
              { address: 'bob@example.com', name: 'Bob' },
            ],
            text: 'desk@example.com, "Bob" <bob@example.com>',
          },
        },
        pairedItem: { item: 0 },
      },
    ]);
    const options = { downloadAttachments: true };
    const list = { operation: 'getAll', limit: 1, simple: false, options };
    const answers = [{ json: { messages: [{ id: 'm1' }] } }, whole];
    const files = await run(list, { answers });
    expect(files.outputs?.[0]?.[0]?.binary).toMatchObject({
      attachment_0: { data: FILE.data, fileName: 'note.txt', mimeType: 'text/plain' },
    });
    const broken = await run(get, { answers: [{ json: { id: 'm1' } }] });
    expect(broken.failed).toBe('Gmail gave a message without its content.');
  });

  it('nothing where nothing is found', async () => {
    const { outputs } = await run({ operation: 'getAll' }, { answers: [{ json: {} }] });
    expect(outputs).toEqual([[]]);
  });
});

describe('Gmail changes', () => {
  it.each([
    [
      { operation: 'addLabels', messageId: 'm', labelIds: ['A', 'B'] },
      'messages/m/modify',
      { addLabelIds: ['A', 'B'] },
    ],
    [
      { operation: 'removeLabels', messageId: 'm', labelIds: 'A, B' },
      'messages/m/modify',
      { removeLabelIds: ['A', 'B'] },
    ],
    [
      { operation: 'markAsRead', messageId: 'm' },
      'messages/m/modify',
      { removeLabelIds: ['UNREAD'] },
    ],
    [
      { operation: 'markAsUnread', messageId: 'm' },
      'messages/m/modify',
      { addLabelIds: ['UNREAD'] },
    ],
    [
      { resource: 'thread', operation: 'addLabels', threadId: 't', labelIds: ['A'] },
      'threads/t/modify',
      { addLabelIds: ['A'] },
    ],
    [{ resource: 'thread', operation: 'trash', threadId: 't' }, 'threads/t/trash', ''],
    [
      { resource: 'label', operation: 'create', name: 'N' },
      'labels',
      { name: 'N', labelListVisibility: 'labelShow', messageListVisibility: 'show' },
    ],
  ])('%j', async (parameters, path, body) => {
    const { asked } = await run(parameters);
    expect(asked).toMatchObject([{ call: `POST ${API}/${path}`, body }]);
  });

  it.each([
    [{ operation: 'delete', messageId: 'm' }, 'messages/m'],
    [{ resource: 'draft', operation: 'delete', messageId: 'd' }, 'drafts/d'],
    [{ resource: 'label', operation: 'delete', labelId: 'l' }, 'labels/l'],
    [{ resource: 'thread', operation: 'delete', threadId: '../x' }, 'threads/..%2Fx'],
  ])('%j', async (parameters, path) => {
    const { asked, outputs } = await run(parameters, { answers: [{ status: 204 }] });
    expect(asked).toMatchObject([{ call: `DELETE ${API}/${path}` }]);
    expect(outputs?.[0]?.[0]?.json).toEqual({ success: true });
  });

  it('and tells what was refused', async () => {
    const answers = [{ status: 400, json: { error: { message: 'Invalid id value' } } }];
    const { failed } = await run({ operation: 'delete', messageId: 'm' }, { answers });
    expect(failed).toBe('Gmail answered with status 400: Invalid id value');
  });
});
