import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExpression } from './read-expression.ts';
import { splitTemplate } from './split-template.ts';

describe('an expression of n8n (importers 14)', () => {
  it.each([
    ['$json.chatInput', ['chatInput']],
    ['$json["my key"].list[0]', ['my key', 'list', '0']],
    ["$json['a']?.b", ['a', 'b']],
    ['$input.item.json.text', ['text']],
    ['$input.first().json.text', ['text']],
    ['($json.text).toString().trim()', ['text']],
    ['JSON.stringify($json.order, null, 2)', ['order']],
    ['String($json.n)', ['n']],
    ['$json', []],
    ['$input.all()', []],
  ])('%s passes the input on', (body, path) => {
    expect(readExpression(body)).toEqual({ kind: 'input', path });
  });

  it.each([
    ["$('Web Hook').item.json.body.id", 'Web Hook', ['body', 'id']],
    ['$("A").first().json["x y"]', 'A', ['x y']],
    ['$node["Old Way"].json["id"]', 'Old Way', ['id']],
    ["$items('A')[0].json.id", 'A', ['id']],
  ])('%s names the output of an element', (body, name, path) => {
    expect(readExpression(body)).toEqual({ kind: 'node', name, path });
  });

  it.each([
    ["'plain'", 'plain'],
    ['"a" + \'b\' + 3', 'ab3'],
    ['`no value`', 'no value'],
    ['42', '42'],
    ['true', 'true'],
  ])('%s is a constant', (body, value) => {
    expect(readExpression(body)).toEqual({ kind: 'constant', value });
  });

  it('joins texts and values, but does not add numbers', () => {
    expect(readExpression("'Hello ' + $json.name")).toEqual({
      kind: 'joined',
      parts: [
        { kind: 'constant', value: 'Hello ' },
        { kind: 'input', path: ['name'] },
      ],
    });
    const template = ['`to $', '{$json.a} and $', '{$("B").item.json.b}`'].join('');
    expect(readExpression(template)).toMatchObject({
      kind: 'joined',
      parts: [{}, { kind: 'input' }, {}, { kind: 'node' }, {}],
    });
    expect(readExpression('$json.a + $json.b')).toEqual({ kind: 'computed' });
    expect(readExpression('1 + 2')).toEqual({ kind: 'computed' });
  });

  it('reads what the calling model fills in', () => {
    const body =
      "/*n8n-auto-generated-fromAI-override*/ $fromAI('city', `Name of the city`, 'string')";
    expect(readExpression(body)).toEqual({
      kind: 'argument',
      name: 'city',
      description: 'Name of the city',
      type: 'string',
    });
  });

  it.each([
    '$now.toISO()',
    '$json.a || "b"',
    '$json.a ? 1 : 2',
    '$json.list.map(x => x.id).join(",")',
    '$json.text.toUpperCase()',
    '$getWorkflowStaticData("global").x',
    '$json[$json.key]',
    'process.exit()',
    '',
    '$json.a $json.b',
    '$json.',
    '(((',
    'x'.repeat(5000),
  ])('%s does more than pass a value on', (body) => {
    expect(readExpression(body)).toEqual({ kind: 'computed' });
  });

  it('ends with an answer for any text, also a deeply nested one', () => {
    for (const piece of [
      '(',
      '[',
      '{a:',
      '!',
      '-',
      'a?',
      'a=>',
      '`${',
      'new ',
      'typeof ',
      'a.b(',
    ]) {
      const body = piece.repeat(Math.floor(3900 / piece.length));
      expect(readExpression(body)).toEqual({ kind: 'computed' });
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (body) => {
        expect(readExpression(body).kind).toBeTypeOf('string');
      }),
    );
  });
});

describe('a template', () => {
  it('splits at its expressions; what is not closed is text', () => {
    expect(splitTemplate('a {{ $json.b }}{{c}} {{ open')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'expression', body: '$json.b' },
      { kind: 'expression', body: 'c' },
      { kind: 'text', text: ' {{ open' },
    ]);
  });

  it('loses no letter outside of the marks', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{{', '}}', 'a', ' ', '{', '}')), (pieces) => {
        const template = pieces.join('');
        const parts = splitTemplate(template);
        const texts = parts.map((part) => (part.kind === 'text' ? part.text : part.body));
        const kept = texts.join('').replaceAll(/[{} ]/g, '');
        expect(kept).toBe(template.replaceAll(/[{} ]/g, ''));
      }),
    );
  });
});
