import { describe, expect, test } from 'vitest';
import { flowStep } from '../../server/contract/flow.ts';
import { fillIn, itemOfInput, missingFields, shownIn, triggerFields } from './trigger-form.ts';

function fieldsOf(type: string, parameters: unknown = {}, reads: readonly string[][] = []) {
  return triggerFields(flowStep.parse({ name: 'T', type, version: 1, parameters }), reads);
}

describe('the form of a trigger', () => {
  test('a webhook asks for what later steps read, a chat for a text', () => {
    const hook = fieldsOf('n8n-nodes-base.webhook', {}, [
      ['body', 'email'],
      ['query', 'x'],
    ]);
    expect(hook.map(({ label, kind }) => [label, kind])).toEqual([
      ['body.email', 'value'],
      ['query.x', 'value'],
    ]);
    const chat = fieldsOf('@n8n/n8n-nodes-langchain.chatTrigger', {}, [['chatInput']]);
    expect(chat.map(({ path, kind }) => [path, kind])).toEqual([[['chatInput'], 'long_text']]);
    expect(fieldsOf('n8n-nodes-base.manualTrigger', {}, [['price']])).toEqual([]);
  });

  test('a form has its own fields', () => {
    const values = [
      { fieldLabel: 'Your name', requiredField: true },
      {
        fieldLabel: 'Size',
        fieldType: 'dropdown',
        fieldOptions: { values: [{ option: 'S' }, { option: 'M' }] },
      },
      { fieldLabel: 'Count', fieldType: 'number' },
      { fieldType: 'html' },
    ];
    const fields = fieldsOf('n8n-nodes-base.formTrigger', { formFields: { values } });
    expect(fields.map(({ label, kind, required }) => [label, kind, required])).toEqual([
      ['Your name', 'text', true],
      ['Size', 'choice', false],
      ['Count', 'number', false],
    ]);
    expect(fields[1]?.choices).toEqual(['S', 'M']);
    expect(missingFields('', fields).map(({ label }) => label)).toEqual(['Your name']);
    expect(missingFields('{"Your name": "Ada"}', fields)).toEqual([]);
  });

  test('what is typed stands in the input, and is shown from there', () => {
    const [email] = fieldsOf('n8n-nodes-base.webhook', {}, [['body', 'email']]);
    if (email === undefined) throw new TypeError('there is a field');
    const once = fillIn('{"query": {"x": 1}}', email, 'a@b');
    expect(JSON.parse(once)).toEqual({ query: { x: 1 }, body: { email: 'a@b' } });
    expect(shownIn(itemOfInput(once) ?? {}, email.path)).toBe('a@b');
    const typed = ['7', '7.', '1.0', 'true', '[1, 2]', '"7"'].map(
      (text) => JSON.parse(fillIn('', email, text)).body.email,
    );
    expect(typed).toEqual([7, '7.', '1.0', true, [1, 2], '"7"']);
    expect(fillIn('{"body": {"email": "x"}}', email, '')).toBe('');
  });

  test('a list, a text and a whole input are no form', () => {
    const inputs = ['[{}]', 'hello', '{"items": [{}]}', '{"a": 1}', ''];
    expect(inputs.map((input) => itemOfInput(input) !== null)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});
