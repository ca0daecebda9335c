import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../test/support/handler-call.ts';
import { startMailServer } from '../../../test/support/mail-server.ts';
import { n8nPorts } from '../../../test/support/n8n-ports.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';
import type { Item } from '../../items/item.ts';
import type { HandlerNode } from '../handler.ts';

const evaluator = createEvaluator();
const server = await startMailServer();
afterAll(async () => {
  await evaluator.close();
  await server.close();
});
beforeEach(() => {
  server.received.length = 0;
});

const ADDRESSES = { fromEmail: 'Desk <desk@example.com>', toEmail: 'ann@example.com' };
const FILE = { mimeType: 'text/plain', fileName: 'note.txt', data: btoa('of the file') };

function send(
  parameters: Record<string, unknown>,
  node: Partial<HandlerNode> & { readonly items?: readonly Item[] } = {},
) {
  const { items = [{ json: { who: 'bob@example.com', n: 7 } }], ...rest } = node;
  return callHandler(evaluator, {
    type: 'emailSend',
    version: 2.1,
    parameters: { ...ADDRESSES, ...parameters },
    ...rest,
    inputs: [items],
    ports: n8nPorts({ smtp: server.credential }),
  });
}

describe('Send Email', () => {
  it('sends a mail for each item and gives what the server told', async () => {
    const items = [
      { json: { who: 'bob@example.com' } },
      { json: { who: '"Eve" <eve@example.com>' } },
    ];
    const parameters = {
      toEmail: '={{ $json.who }}',
      subject: '=Für {{ $json.who }}',
      html: '<b>Hi</b>',
    };
    const run = await send(parameters, { items });
    expect(server.received.map(({ from, to }) => [from, to])).toEqual([
      ['desk@example.com', ['bob@example.com']],
      ['desk@example.com', ['eve@example.com']],
    ]);
    expect(fieldsOf(run)[0]?.[0]).toMatchObject({
      accepted: ['bob@example.com'],
      rejected: [],
      envelope: { from: 'desk@example.com', to: ['bob@example.com'] },
      messageId: expect.stringMatching(/^<.+>$/),
    });
    expect(run.outputs[0]?.[1]?.pairedItem).toEqual({ item: 1 });
    expect(server.received[0]?.text).toContain('Content-Type: text/html');
    expect(server.received[0]?.text).toContain('<b>Hi</b>');
  });

  it('sends copies, which those in bcc are not told of, and says where answers go', async () => {
    const options = {
      ccEmail: 'cc@example.com, c2@example.com',
      bccEmail: 'bcc@example.com',
      replyTo: 'reply@example.com',
    };
    await send({ options, text: 'plain', emailFormat: 'both', html: '<i>x</i>' });
    const [mail] = server.received;
    expect(mail?.to).toEqual([
      'ann@example.com',
      ...['cc@example.com', 'c2@example.com', 'bcc@example.com'],
    ]);
    expect(mail?.text).toContain('Reply-To: reply@example.com');
    expect(mail?.text).toContain('multipart/alternative');
    expect(mail?.text).not.toContain('bcc@example.com');
  });

  it.each([
    [1, { text: 'old', attachments: 'data' }],
    [2, { text: 'old', options: { attachments: 'data' } }],
  ])('sends files of the item, version %d', async (version, parameters) => {
    const items = [{ json: {}, binary: { data: FILE } }];
    await send(parameters, { version, items });
    const [mail] = server.received;
    expect(mail?.text).toContain('filename=note.txt');
    expect(mail?.text).toContain(FILE.data);
    expect(mail?.text).toContain('old');
    expect(mail?.text).not.toContain('text/html');
  });

  it('does not read files or addresses that a text of the mail might name', async () => {
    await send({ emailFormat: 'text', text: 'file:///etc/hostname', subject: 'a\r\nBcc: x@y.z' });
    const [mail] = server.received;
    expect(mail?.text).toContain('file:///etc/hostname');
    expect(mail?.text).not.toMatch(/^Bcc/im);
  });

  it('tells that a recipient was refused, for its item where the step goes on', async () => {
    const run = await send({ toEmail: 'nobody@example.com' }, { onError: 'regular_output' });
    expect(fieldsOf(run)[0]?.[0]?.['error']).toMatch(/recipients were rejected.*No such mailbox/s);
    await expect(send({ toEmail: '' })).rejects.toThrow(/recipients/i);
  });

  it('fails without a server, and with one of another kind', async () => {
    const call = {
      type: 'emailSend',
      version: 2.1,
      parameters: ADDRESSES,
      inputs: [[{ json: {} }]],
    };
    await expect(callHandler(evaluator, call)).rejects.toThrow(/'smtp' is bound to no secret/);
    const ports = n8nPorts({ smtp: { kind: 'bearer', token: 'abcd' } });
    await expect(callHandler(evaluator, { ...call, ports })).rejects.toThrow("must be 'smtp'");
  });

  it('refuses a certificate that it may not check', async () => {
    const sent = send({ options: { allowUnauthorizedCerts: true } });
    await expect(sent).rejects.toThrow('Certificates are always checked');
  });
});
