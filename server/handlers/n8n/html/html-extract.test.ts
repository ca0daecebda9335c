import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { givesOf } from '../../../../test/support/handler-call.ts';
import { htmlTexts } from '../../../../test/support/html-texts.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import { plainPage } from './plain-page.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

/** Only the library reads what ends so. */
const END = '<!-- end -->';

const SELECTORS = [
  'p',
  'P',
  '.a',
  'div > p',
  'li, a',
  'h1 + p',
  '[href]',
  '[constructor]',
  'ul li',
  '*',
  'p:first',
  'p:nth-child(2)',
];
const READINGS = [
  ...SELECTORS.flatMap((cssSelector) => [
    { cssSelector, returnValue: 'text' },
    { cssSelector, returnValue: 'html', returnArray: true },
  ]),
  { cssSelector: 'a', returnValue: 'attribute', attribute: 'href' },
  { cssSelector: 'img', returnValue: 'attribute', attribute: 'constructor' },
].map((reading, at) => ({ key: `${at}`, ...reading }));

test('a text gives the same fields whoever reads it', async () => {
  const give = givesOf(evaluator);
  const parameters = {
    operation: 'extractHtmlContent',
    extractionValues: { values: READINGS },
    options: { trimValues: false },
  };
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(htmlTexts(0), async (data) => {
      if (plainPage(data) === null) return;
      plain += 1;
      const given = [{ data }, { data: `${data}${END}` }];
      for (const version of [1, 1.2]) {
        const [own, read] = await give('html', parameters, given, version);
        expect(JSON.stringify(own)).toBe(JSON.stringify(read).replaceAll(END, ''));
      }
    }),
    { numRuns: 200 },
  );
  expect(plain).toBeGreaterThan(60);
});

test.each(['<b>', 'p >', '> p', '[', 'p,', ':nope', ''])(
  'the selector %j tells what it told',
  async (cssSelector) => {
    const give = givesOf(evaluator);
    const parameters = {
      operation: 'extractHtmlContent',
      extractionValues: { values: [{ key: 'a', cssSelector }] },
    };
    const told = async (data: string) =>
      give('html', parameters, [{ data }], 1).catch(({ message }: Error) => message);
    const plain = await told('<p>a</p>');
    expect(plain).toEqual(await told(`<p>a</p>${END}`));
  },
);
