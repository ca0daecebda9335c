import { describe, expect, it } from 'vitest';
import { compileExpression } from './compile-expression.ts';
import { splitTemplate } from './split-template.ts';

const known = { scope: new Set(['$json', 'DateTime']), extensions: new Set(['first', 'isEmpty']) };

function codeOf(expression: string): string {
  const { chunks, refused } = compileExpression(`{{ ${expression} }}`, known);
  const [chunk] = chunks;
  return refused ?? (typeof chunk === 'object' ? chunk.code : 'no code');
}

describe('a template is split as the source splits it', () => {
  it.each([
    ['plain', [{ text: 'plain' }]],
    ['{{ 1 }}', [{ code: ' 1 ' }]],
    ['a{{1}}b{{2}}', [{ text: 'a' }, { code: '1' }, { text: 'b' }, { code: '2' }]],
    ['{{ "}}" }}', [{ code: ' "' }, { text: '" }}' }]],
    ['\\{{ 1 }}', [{ text: '{{ 1 }}' }]],
    ['x {{ 1 + 1', [{ text: 'x ' }, { code: ' 1 + 1' }]],
    ['', []],
  ])('%j', (template, parts) => {
    expect(splitTemplate(template)).toEqual(parts);
  });
});

describe('an expression is rewritten', () => {
  it.each([
    ['$json.a', '$s.$json.a'],
    ['({ $json })', '{ $json: $s.$json }'],
    ['[1].map(a => a + b)', '[1].map(a => a + $h.unknown.b)'],
    ['$json.a.first()', "$h.extend(($s.$json.a), 'first')"],
    ['$json.a?.b.isEmpty()', expect.stringContaining('== null ? undefined : $h.extend(')],
    ['$json.a.first?.()', "$h.extend(($s.$json.a), 'first')"],
    ['$json?.a', '$s.$json?.a'],
    ['$json.a?.b.map(c => c.d)', '$s.$json.a?.b.map(c => c.d)'],
    ['process.env', '$h.nothing.env'],
    ['Math.max(1)', 'Math.max(1)'],
    ['this', '$s.$this'],
    ['(function () { return this })', 'function () { return this }'],
    ['{ a: 1 }', '{ a: 1 }'],
    ['1; 2', '1'],
  ])('%s', (expression, code) => {
    const rewritten = codeOf(expression);
    if (expression.includes('?.()')) expect(rewritten).toContain('extendIfThere');
    else expect(rewritten).toEqual(code);
  });

  it.each([
    ['', 'invalid syntax'],
    ['const a = 1', 'invalid syntax'],
    ['$json.a $json.b', 'invalid syntax'],
    ['1)', 'invalid syntax'],
    ['import("fs")', 'Imports are not supported'],
    ['({}).constructor', 'Expression contains invalid constructor function call'],
    ['({})["__proto__"]', 'Cannot access "__proto__" due to security concerns'],
    [`${'['.repeat(2_000)}${']'.repeat(2_000)}`, 'invalid syntax'],
  ])('or refused: %.40s', (expression, message) => {
    expect(codeOf(expression)).toBe(message);
  });

  it.each([
    ['$json.list.push(1)', true],
    ['delete $json.a', true],
    ['$json.a = 1', true],
    ['$json.list.sort()', true],
    ['$json.list.map(x => x.a)', false],
  ])('as one that changes what it reads: %s', (expression, mutates) => {
    expect(compileExpression(`{{ ${expression} }}`, known).mutates).toBe(mutates);
  });
});
