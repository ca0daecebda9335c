import { afterAll, describe, expect, it } from 'vitest';
import { type ServiceTry, startServicePeer } from '../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const BOT = 'https://api.telegram.org/bot7:SECRET';
const credential = { kind: 'bearer', token: '7:SECRET' } as const;
const done = { json: { ok: true, result: { message_id: 5 } } };

function run(parameters: ServiceTry['parameters'], more: Partial<ServiceTry> = {}) {
  const of = { type: 'telegram', version: 1.2, credential, answers: [done], ...more };
  return peer.run({ ...of, parameters });
}

describe('Telegram', () => {
  it('sends a message for each item, and gives what came back', async () => {
    const { asked, outputs } = await run(
      { chatId: '={{ $json.chat }}', text: '=Hello {{ $json.name }}', additionalFields: {} },
      {
        items: [{ json: { chat: 1, name: 'A' } }, { json: { chat: 2, name: 'B' } }],
        answers: [done, done],
      },
    );
    expect(asked.map(({ call, body }) => [call, body])).toEqual([
      [`POST ${BOT}/sendMessage`, { chat_id: 1, text: 'Hello A', parse_mode: 'Markdown' }],
      [`POST ${BOT}/sendMessage`, { chat_id: 2, text: 'Hello B', parse_mode: 'Markdown' }],
    ]);
    expect(outputs).toEqual([[0, 1].map((item) => ({ json: done.json, pairedItem: { item } }))]);
  });

  it('puts buttons below a message', async () => {
    const row = (text: string, more: object) => ({ text, additionalFields: more });
    const { asked } = await run({
      chatId: '1',
      text: 'Sure?',
      replyMarkup: 'inlineKeyboard',
      inlineKeyboard: {
        rows: [
          {
            row: {
              buttons: [
                row('Yes', { callback_data: '=y{{ 1 }}' }),
                row('Look', { url: 'https://a.b' }),
              ],
            },
          },
        ],
      },
      additionalFields: {
        parse_mode: 'HTML',
        disable_notification: true,
        appendAttribution: false,
      },
    });
    expect(asked[0]?.body).toEqual({
      chat_id: '1',
      text: 'Sure?',
      parse_mode: 'HTML',
      disable_notification: true,
      reply_markup: {
        inline_keyboard: [
          [
            { text: 'Yes', callback_data: 'y1' },
            { text: 'Look', url: 'https://a.b' },
          ],
        ],
      },
    });
  });

  it('sends a file of the item under the name that is asked for', async () => {
    const file = { mimeType: 'audio/ogg', fileName: 'a.ogg', data: 'aGk=' };
    const { asked } = await run(
      {
        operation: 'sendAudio',
        chatId: '1',
        binaryData: true,
        additionalFields: { caption: 'Listen', fileName: 'reply.ogg' },
      },
      { items: [{ json: {}, binary: { data: file } }] },
    );
    expect(asked[0]?.call).toBe(`POST ${BOT}/sendAudio`);
    expect(asked[0]?.headers['content-type']).toMatch(/^multipart\/form-data/);
    expect(asked[0]?.body).toContain(
      'name="audio"; filename="reply.ogg"\r\nContent-Type: audio/ogg\r\n\r\nhi',
    );
    expect(asked[0]?.body).toContain('name="caption"\r\n\r\nListen');
  });

  it('names a file that Telegram fetches itself', async () => {
    const { asked } = await run({
      operation: 'sendPhoto',
      chatId: '@c',
      file: 'https://a.b/c.png',
    });
    expect(asked[0]?.body).toEqual({ chat_id: '@c', photo: 'https://a.b/c.png' });
  });

  it('gets a file: where it is, then what it holds', async () => {
    const found = { ok: true, result: { file_id: 'f', file_path: 'voice/file_0.oga' } };
    const { asked, outputs } = await run(
      { resource: 'file', fileId: 'f' },
      {
        answers: [
          { json: found },
          { bytes: Buffer.from('hi'), headers: { 'content-type': 'audio/ogg' } },
        ],
      },
    );
    expect(asked.map(({ call }) => call)).toEqual([
      `GET ${BOT}/getFile?file_id=f`,
      'GET https://api.telegram.org/file/bot7:SECRET/voice/file_0.oga',
    ]);
    expect(outputs?.[0]?.[0]).toMatchObject({
      json: found,
      binary: { data: { data: 'aGk=', fileName: 'file_0.oga', mimeType: 'audio/ogg' } },
    });
  });

  it.each([
    [
      { operation: 'deleteMessage', chatId: '1', messageId: '9' },
      'deleteMessage',
      { chat_id: '1', message_id: '9' },
    ],
    [
      { operation: 'sendChatAction', chatId: '1' },
      'sendChatAction',
      { chat_id: '1', action: 'typing' },
    ],
    [{ resource: 'chat', chatId: '1' }, 'getChat', { chat_id: '1' }],
    [
      { operation: 'editMessageText', chatId: '1', messageId: '9', text: 'x' },
      'editMessageText',
      { chat_id: '1', message_id: '9', text: 'x' },
    ],
    [
      {
        operation: 'editMessageText',
        messageType: 'inlineMessage',
        inlineMessageId: 'i',
        text: 'x',
      },
      'editMessageText',
      { inline_message_id: 'i', text: 'x' },
    ],
    [
      { resource: 'callback', queryId: 'q', additionalFields: { text: 'ok' } },
      'answerCallbackQuery',
      { callback_query_id: 'q', text: 'ok' },
    ],
    [
      {
        operation: 'sendMediaGroup',
        chatId: '1',
        media: { media: [{ media: 'u', additionalFields: { caption: 'c' } }] },
      },
      'sendMediaGroup',
      { chat_id: '1', media: [{ type: 'photo', media: 'u', caption: 'c' }] },
    ],
  ])('asks for %j', async (parameters, method, body) => {
    const { asked } = await run(parameters);
    expect(asked).toMatchObject([{ call: `POST ${BOT}/${method}`, body }]);
  });

  it('says what the service refused, without the secret', async () => {
    const told = { ok: false, error_code: 400, description: 'Bad Request: no bot7:SECRET here' };
    const refused = [{ status: 400, json: told }];
    const { failed } = await run({ chatId: '1', text: 'x' }, { answers: refused });
    expect(failed).toMatch(
      /^Telegram answered with status 400: Bad Request: no bot\[REDACTED\] here$/,
    );
    const { outputs } = await run(
      { chatId: '1', text: 'x' },
      { answers: refused, onError: 'regular_output' },
    );
    expect(outputs).toEqual([[{ json: { error: failed }, pairedItem: { item: 0 } }]]);
  });

  it('sends nothing without a credential, and says how to bind it', async () => {
    const { asked, failed } = await peer.run({ type: 'telegram', version: 1.2, parameters: {} });
    expect(asked).toEqual([]);
    expect(failed).toContain('CRED_TELEGRAMAPI_');
  });
});
