import { afterAll, describe, expect, it } from 'vitest';
import { bearer, locator, one } from '../../../test/support/service-cases.ts';
import { startServicePeer } from '../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const image = { mimeType: 'image/png', data: 'aGk=' };

describe('OpenAI', () => {
  it('is shown a file of the item', async () => {
    const { asked, outputs } = await peer.run({
      ...{ type: '@n8n/n8n-nodes-langchain.openAi', version: 1.8, credential: bearer },
      parameters: {
        resource: 'image',
        operation: 'analyze',
        inputType: 'base64',
        modelId: locator('gpt-4o'),
        text: 'What?',
        options: {},
      },
      items: [{ json: {}, binary: { data: image } }],
      answers: one({ choices: [{ message: { content: 'A dot' } }] }),
    });
    const url = 'data:image/png;base64,aGk=';
    expect(asked).toMatchObject([
      {
        call: 'POST https://api.openai.com/v1/chat/completions',
        body: {
          model: 'gpt-4o',
          messages: [{ content: [{ text: 'What?' }, { image_url: { url, detail: 'auto' } }] }],
        },
      },
    ]);
    expect(outputs?.[0]?.[0]?.json).toEqual({ content: 'A dot' });
  });

  it('writes down what is said in a file', async () => {
    const { asked, outputs } = await peer.run({
      ...{ type: '@n8n/n8n-nodes-langchain.openAi', version: 2.1, credential: bearer },
      parameters: { resource: 'audio', operation: 'transcribe', options: { language: 'de' } },
      items: [
        { json: {}, binary: { data: { mimeType: 'audio/mpeg', fileName: 'a.mp3', data: 'aGk=' } } },
      ],
      answers: one({ text: 'Hallo' }),
    });
    expect(asked[0]?.call).toBe('POST https://api.openai.com/v1/audio/transcriptions');
    expect(asked[0]?.body).toMatch(
      /filename="a\.mp3".*name="model".*whisper-1.*name="language".*de/s,
    );
    expect(outputs?.[0]?.[0]?.json).toEqual({ text: 'Hallo' });
  });

  it('speaks into a file', async () => {
    const { outputs } = await peer.run({
      ...{ type: '@n8n/n8n-nodes-langchain.openAi', version: 1.8, credential: bearer },
      parameters: { resource: 'audio', input: 'Hallo', options: {} },
      answers: [{ bytes: Buffer.from('hi'), headers: { 'content-type': 'audio/mpeg' } }],
    });
    expect(outputs?.[0]?.[0]).toMatchObject({ json: {}, binary: { data: { data: 'aGk=' } } });
  });
});
