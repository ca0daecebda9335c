import { expect, test } from 'vitest';
import { modelCall } from '../../../test/support/model-call.ts';
import type { CallModel } from '../../engine/effect.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toCallOptions } from './call-options.ts';
import { toolNames } from './tool-names.ts';

const { signal } = new AbortController();

function options(extra: JsonObject, more: Partial<CallModel> = {}) {
  const effect = modelCall('p', { extra, ...more });
  return toCallOptions(effect, toolNames(effect.tools.map(({ name }) => name)), signal);
}

test('only what is set is sent', () => {
  const sent = options({ top_p: null, stop: null, response_format: null, own: 'x' });
  expect(Object.keys(sent).sort()).toEqual(['abortSignal', 'prompt', 'temperature']);
});

test('settings of model.extra', () => {
  const sent = options({
    ...{ top_p: 0.9, top_k: 3, frequency_penalty: 0.1, presence_penalty: 0.2, seed: 7 },
    stop: ['END', 'STOP'],
  });
  expect(sent).toMatchObject({
    ...{ topP: 0.9, topK: 3, frequencyPenalty: 0.1, presencePenalty: 0.2, seed: 7 },
    stopSequences: ['END', 'STOP'],
  });
  expect(options({ stop_sequences: 'END' }).stopSequences).toEqual(['END']);
});

test('the format of the answer: a word, or as chat completions write it', () => {
  const format = (response_format: JsonObject | string) =>
    options({ response_format }).responseFormat;
  const schema = { type: 'object' };
  expect(format('text')).toEqual({ type: 'text' });
  expect(format('json')).toEqual({ type: 'json' });
  expect(format({ type: 'json_object' })).toEqual({ type: 'json' });
  expect(format({ type: 'json_schema', json_schema: { name: 'order', schema } })).toEqual({
    type: 'json',
    name: 'order',
    schema,
  });
});

test('a value of the wrong kind is refused by its name', () => {
  const wrong: [JsonObject, string][] = [
    [{ top_p: 'high' }, 'model.extra.top_p must be a number'],
    [{ stop: [1] }, 'model.extra.stop must be a list of texts'],
    [{ response_format: 'xml' }, 'model.extra.response_format must be'],
    [{ response_format: { type: 'json_schema' } }, 'model.extra.response_format must be'],
  ];
  for (const [extra, said] of wrong) expect(() => options(extra)).toThrow(said);
});

test('tools are offered with an object schema that has properties', () => {
  const bare = { name: 'look up', description: 'Looks', parameters: {} };
  expect(options({}, { tools: [bare] }).tools).toEqual([
    {
      type: 'function',
      name: 'look_up',
      description: 'Looks',
      inputSchema: { type: 'object', properties: {} },
    },
  ]);
});
