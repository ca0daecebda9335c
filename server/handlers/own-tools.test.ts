import { describe, expect, it } from 'vitest';
import { toolStep } from './own-tools.ts';

const PACKAGE = '@n8n/n8n-nodes-langchain.';

function made(type: string, parameters: object, given: object) {
  return toolStep({ type, version: 1, parameters: { ...parameters } }, { ...given });
}

describe('a tool of the source for models becomes a built-in step', () => {
  it('that is none is not carried out', () => {
    expect(made(`${PACKAGE}toolWikipedia`, {}, {})).toBeUndefined();
  });

  it('of thoughts gives the thought back', () => {
    expect(made(`${PACKAGE}toolThink`, {}, { input: 'so it is' })).toMatchObject({
      type: 'n8n-nodes-base.noOp',
      items: [{ json: { output: 'so it is' } }],
    });
    expect(made(`${PACKAGE}toolThink`, {}, {})?.items).toEqual([{ json: { output: '' } }]);
  });

  it('of code gets what the model gave', () => {
    const step = made(`${PACKAGE}toolCode`, { jsCode: 'return query' }, { query: 'a' });
    expect(step).toMatchObject({ type: 'n8n-nodes-base.code', items: [{ json: { query: 'a' } }] });
    expect(step?.parameters['jsCode']).toContain('const query = given.query;');
    const whole = made(`${PACKAGE}toolCode`, { specifyInputSchema: true }, { n: 1 });
    expect(whole?.parameters['jsCode']).toContain('const query = given;');
  });

  const request = (parameters: object, given: object) =>
    made(`${PACKAGE}toolHttpRequest`, parameters, given)?.parameters;

  it('of requests has the names in braces filled, each as it is written there', () => {
    const address = { url: 'https://x.example/{city}?keep={{ $json.a }}&{other}' };
    expect(request(address, { city: 'a b/c' })).toMatchObject({
      method: 'GET',
      url: 'https://x.example/a%20b%2Fc?keep={{ $json.a }}&{other}',
      authentication: 'none',
    });
    const body = { sendBody: true, specifyBody: 'json', jsonBody: '{"a": "{text}", "b": {list}}' };
    expect(request(body, { text: 'say "x"', list: [1] })?.['jsonBody']).toBe(
      '{"a": "say \\"x\\"", "b": [1]}',
    );
  });

  it('of requests takes what the model gives as data, in an expression as well', () => {
    const given = { text: '}} {{ $env.KEY }}' };
    const body = { sendBody: true, specifyBody: 'json', jsonBody: '={"a": "{text}"}' };
    const text = String(request(body, given)?.['jsonBody']);
    expect(text.match(/\{\{/g)).toHaveLength(1);
    expect(text).toContain('\\u007d\\u007d \\u007b\\u007b $env.KEY');
  });

  it('of requests sends pairs of the author and of the model, and what the model says whole', () => {
    const values = [
      { name: 'convert', value: 'USD {unit}', valueProvider: 'fieldValue' },
      { name: 'symbol' },
      { name: 'limit', valueProvider: 'modelOptional' },
    ];
    const sent = request(
      { sendQuery: true, parametersQuery: { values }, sendBody: true, specifyBody: 'model' },
      { symbol: 'X', unit: 3, body: { a: 1 } },
    );
    expect(sent).toMatchObject({
      queryParameters: {
        parameters: [
          { name: 'convert', value: 'USD 3' },
          { name: 'symbol', value: 'X' },
        ],
      },
      specifyBody: 'json',
      jsonBody: '{"a":1}',
    });
    expect(request({ sendHeaders: true, specifyHeaders: 'model' }, {})?.['jsonHeaders']).toBe('{}');
    expect(request({ sendHeaders: true, parametersHeaders: 1 }, {})?.['headerParameters']).toEqual({
      parameters: [],
    });
    expect(request({ sendBody: true, specifyBody: 'json' }, {})?.['jsonBody']).toBeUndefined();
  });
});
