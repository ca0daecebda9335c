import type { Row, Service } from '../service.ts';
import { each, filePart, fileText, filled, get, merged, same, within } from '../template.ts';

const COMMON = {
  name: 'OpenAI',
  server: 'https://api.openai.com/v1',
  auth: { openAiApi: { as: 'bearer' } },
  message: ['error.message'],
} as const;

/** What other nodes of the vendor have, and exports carry along: this one does not read it. */
const NOT_READ = ['model', 'options.baseUrl', 'requestOptions'];

function spoken(path: string, model: string): Row {
  return {
    call: `POST /audio/${path}`,
    multipart: merged(
      { file: filePart('binaryPropertyName', 'data'), model },
      within('options', { language: filled('language'), temperature: '$temperature' }),
    ),
    ignores: NOT_READ,
  };
}

const seen = (url: ReturnType<typeof fileText> | string): Row => ({
  call: 'POST /chat/completions',
  json: {
    model: get('modelId'),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: get('text', { or: "What's in this image?" }) },
          {
            type: 'image_url',
            image_url: { url, detail: get('options.detail', { or: 'auto' }) },
          },
        ],
      },
    ],
    max_tokens: get('options.maxTokens', { or: 300 }),
  },
  answer: { content: '@answer.choices.0.message.content' },
  fixed: { simplify: true },
  ignores: NOT_READ,
});

const AUDIO = {
  'audio/transcribe': spoken('transcriptions', 'whisper-1'),
  'audio/translate': spoken('translations', 'whisper-1'),
  'audio/generate': {
    call: 'POST /audio/speech',
    json: merged(
      {
        model: get('model', { or: 'tts-1' }),
        input: '$input',
        voice: get('voice', { or: 'alloy' }),
      },
      within('options', same('response_format', 'speed')),
    ),
    file: get('options.binaryPropertyOutput', { or: 'data' }),
    answer: {},
    ignores: ['options.baseUrl'],
  },
} satisfies Service['rows'];

const LANGCHAIN = '@n8n/n8n-nodes-langchain.openAi';

/** OpenAI's node beside its text operations, which become agents of the draft. */
export const OPEN_AI: Service = {
  ...COMMON,
  type: LANGCHAIN,
  versions: [1, 1.8],
  resource: 'text',
  operation: { text: 'message', image: 'generate', audio: 'generate' },
  rows: {
    ...AUDIO,
    'image/analyze': {
      by: 'inputType',
      or: 'url',
      of: {
        base64: seen(fileText('binaryPropertyName', 'data', 'data_url')),
        url: seen('$imageUrls'),
      },
    },
  },
};

export const OPEN_AI_V2: Service = {
  ...COMMON,
  type: LANGCHAIN,
  versions: [2, 2.1],
  resource: 'text',
  operation: { text: 'response', image: 'generate', audio: 'generate' },
  rows: AUDIO,
};

/** The older node of the vendor. */
export const OPEN_AI_OLD: Service = {
  ...COMMON,
  type: 'n8n-nodes-base.openAi',
  versions: [1, 1.1],
  resource: 'text',
  operation: { text: 'complete', chat: 'complete', image: 'create' },
  ignores: ['requestOptions'],
  rows: {
    'chat/complete': {
      call: 'POST /chat/completions',
      json: merged(
        {
          model: get('model', { or: get('chatModel', { or: 'gpt-3.5-turbo' }) }),
          messages: each('prompt.messages', {
            role: get('role', { or: 'user' }),
            content: '$content',
          }),
        },
        within('options', {
          max_tokens: get('maxTokens', { as: 'number' }),
          temperature: '$temperature',
          top_p: '$topP',
          n: '$n',
          frequency_penalty: '$frequencyPenalty',
          presence_penalty: '$presencePenalty',
        }),
      ),
      answer: '@answer.choices',
      fixed: { simplifyOutput: true },
    },
  },
};
