import { describe, expect, test } from 'vitest';
import { flowStep } from '../../../../server/contract/flow.ts';
import { difyFields } from './dify-form.ts';

function fieldsOf(parameters: unknown, mode: string) {
  const step = flowStep.parse({ name: 'Start', type: 'dify.start', version: 1, parameters });
  return difyFields(step, mode).map(({ path, label, kind, choices, required }) => {
    return [path.join('.'), label, kind, choices, required];
  });
}

describe('the form of a Dify app', () => {
  test('is that of its start, and asks for the question of a chat', () => {
    const variables = [
      { variable: 'city', label: 'City', type: 'text-input', required: true },
      { variable: 'size', label: '', type: 'select', options: ['S', 'M'] },
      { variable: 'doc', type: 'file' },
      { label: 'no name' },
      'odd',
    ];
    const own = [
      ['city', 'City', 'text', [], true],
      ['size', 'size', 'choice', ['S', 'M'], false],
      ['doc', 'doc', 'value', [], false],
    ];
    expect(fieldsOf({ variables }, 'workflow')).toEqual(own);
    const question = ['query', 'What is said in the chat', 'long_text', [], false];
    expect(fieldsOf({ variables }, 'advanced-chat')).toEqual([question, ...own]);
  });

  test('of an app without a graph names its fields by their kinds', () => {
    const user_input_form = [{ paragraph: { variable: 'text', label: 'Text', required: true } }];
    expect(fieldsOf({ user_input_form }, 'workflow')).toEqual([
      ['text', 'Text', 'long_text', [], true],
    ]);
    expect(fieldsOf({}, 'workflow')).toEqual([]);
  });
});
