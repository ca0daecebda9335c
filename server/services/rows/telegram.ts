import type { Row, RowEntry, Service } from '../service.ts';
import { choice, each, filePart, get, merged, same, type Template, within } from '../template.ts';

const PLAIN_BUTTON = ['callback_data', 'url', 'pay'];
const INLINE = [...PLAIN_BUTTON, 'switch_inline_query', 'switch_inline_query_current_chat'];

const button = (...more: readonly string[]): Template =>
  merged(same('text'), within('additionalFields', same(...more)));

const keyboard = (path: string, buttons: Template): Template =>
  each(`${path}.rows`, each('row.buttons', buttons));

/** What stands below a message. */
const MARKUP = choice('replyMarkup', 'none', {
  none: undefined,
  inlineKeyboard: { inline_keyboard: keyboard('inlineKeyboard', button(...INLINE)) },
  forceReply: within('forceReply', same('force_reply', 'selective')),
  replyKeyboard: merged(
    { keyboard: keyboard('replyKeyboard', button('request_contact', 'request_location')) },
    within('replyKeyboardOptions', same('resize_keyboard', 'one_time_keyboard', 'selective')),
  ),
  replyKeyboardRemove: within('replyKeyboardRemove', same('remove_keyboard', 'selective')),
});

const SENT = ['disable_notification', 'message_thread_id', 'reply_to_message_id'];

/** An operation that sends JSON; `more` are the settings below `additionalFields`. */
function plain(method: string, body: Record<string, Template>, more: readonly string[] = []): Row {
  return {
    call: `POST /${method}`,
    json: merged(body, within('additionalFields', same(...more))),
  };
}

/** An operation that sends a file of the item, or names one that Telegram fetches or has. */
function media(method: string, name: string, more: readonly string[]): RowEntry {
  const body = { chat_id: '$chatId', reply_markup: MARKUP };
  const fields = ['caption', 'parse_mode', ...SENT, ...more];
  const named = plain(method, { ...body, [name]: get('file') }, fields);
  const part = filePart('binaryPropertyName', 'data', '$additionalFields.fileName');
  const { json, ...rest } = plain(method, { ...body, [name]: part }, fields);
  const ignores = ['additionalFields.fileName'];
  return {
    by: 'binaryData',
    or: 'false',
    of: { false: { ...named, ignores }, true: { ...rest, multipart: json } },
  };
}

const FILE = { call: 'GET /getFile', query: { file_id: '$fileId' } };
const FILE_SERVER = 'https://api.telegram.org/file/bot{@token}';

const MESSAGE: Record<string, Template> = { chat_id: '$chatId', message_id: '$messageId' };

const CHAT = (method: string, ...more: readonly string[]): Row =>
  plain(method, { chat_id: '$chatId', ...same(...more) });

/** A message is named by its chat and number, or as one that was sent inline. */
function choiceOfMessage(): Record<string, Template> {
  const inline = (name: string): Template =>
    choice('messageType', 'message', { message: undefined, inlineMessage: `$${name}` });
  const own = (name: string): Template =>
    choice('messageType', 'message', { message: `$${name}`, inlineMessage: undefined });
  return {
    chat_id: own('chatId'),
    message_id: own('messageId'),
    inline_message_id: inline('inlineMessageId'),
  };
}

const GROUP_MEMBER: Template = merged(
  { type: get('type', { or: 'photo' }), media: '$media' },
  within('additionalFields', same('caption', 'parse_mode')),
);

/** Telegram's Bot API. No line that advertises the source is put under a message. */
export const TELEGRAM: Service = {
  name: 'Telegram',
  type: 'n8n-nodes-base.telegram',
  versions: [1, 1.2],
  server: 'https://api.telegram.org/bot{@token}',
  auth: { telegramApi: { as: 'path' } },
  message: ['description'],
  resource: 'message',
  operation: { message: 'sendMessage', chat: 'get', callback: 'answerQuery', file: 'get' },
  ignores: ['additionalFields.appendAttribution'],
  rows: {
    'message/sendMessage': plain(
      'sendMessage',
      {
        chat_id: '$chatId',
        text: '$text',
        reply_markup: MARKUP,
        parse_mode: get('additionalFields.parse_mode', { or: 'Markdown' }),
      },
      [...SENT, 'disable_web_page_preview'],
    ),
    'message/editMessageText': plain(
      'editMessageText',
      { ...choiceOfMessage(), text: '$text', reply_markup: MARKUP },
      ['parse_mode', 'disable_web_page_preview'],
    ),
    'message/deleteMessage': plain('deleteMessage', MESSAGE),
    'message/pinChatMessage': plain('pinChatMessage', MESSAGE, ['disable_notification']),
    'message/unpinChatMessage': plain('unpinChatMessage', MESSAGE),
    'message/sendChatAction': plain('sendChatAction', {
      chat_id: '$chatId',
      action: get('action', { or: 'typing' }),
    }),
    'message/sendLocation': plain(
      'sendLocation',
      { chat_id: '$chatId', ...same('latitude', 'longitude'), reply_markup: MARKUP },
      SENT,
    ),
    'message/sendMediaGroup': plain(
      'sendMediaGroup',
      { chat_id: '$chatId', media: each('media.media', GROUP_MEMBER) },
      SENT,
    ),
    'message/sendAnimation': media('sendAnimation', 'animation', ['duration', 'height', 'width']),
    'message/sendAudio': media('sendAudio', 'audio', ['duration', 'performer', 'title']),
    'message/sendDocument': media('sendDocument', 'document', []),
    'message/sendPhoto': media('sendPhoto', 'photo', []),
    'message/sendSticker': media('sendSticker', 'sticker', []),
    'message/sendVideo': media('sendVideo', 'video', ['duration', 'height', 'width']),
    'chat/get': CHAT('getChat'),
    'chat/administrators': CHAT('getChatAdministrators'),
    'chat/member': plain('getChatMember', { chat_id: '$chatId', user_id: '$userId' }),
    'chat/leave': CHAT('leaveChat'),
    'chat/setDescription': CHAT('setChatDescription', 'description'),
    'chat/setTitle': CHAT('setChatTitle', 'title'),
    'callback/answerQuery': plain('answerCallbackQuery', { callback_query_id: '$queryId' }, [
      ...['text', 'show_alert', 'url', 'cache_time'],
    ]),
    'callback/answerInlineQuery': plain(
      'answerInlineQuery',
      { inline_query_id: '$queryId', results: get('results', { as: 'json' }) },
      ['cache_time', 'show_alert', 'text', 'url'],
    ),
    'file/get': {
      by: 'download',
      or: 'true',
      of: {
        false: FILE,
        true: {
          before: [FILE],
          call: `GET ${FILE_SERVER}/{@before.0.result.file_path}`,
          file: 'data',
          answer: '@before.0',
        },
      },
    },
  },
};
