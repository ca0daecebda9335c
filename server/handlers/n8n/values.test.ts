import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../test/support/handler-call.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';
import { StepFailure } from '../handler.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

type Json = Record<string, unknown>;

/** The fields of what a step gives for one item, or why it fails. */
async function give(type: string, version: number, parameters: Json, json: Json = {}) {
  try {
    return fieldsOf(await callHandler(evaluator, { type, version, parameters, given: [json] }))[0];
  } catch (error) {
    if (error instanceof StepFailure) return error.message;
    throw error;
  }
}

describe('Date & Time', () => {
  it.each([
    ['2024-01-31', {}, '2024-01-31 00:00'],
    ['2024-01-31', { timezone: true }, '2024-01-30 19:00'],
    ['2024-01-31T10:00:00+02:00', {}, '2024-01-31 10:00'],
    ['31.01.2024 10:00', { fromFormat: 'dd.MM.yyyy HH:mm' }, '2024-01-31 10:00'],
    [1706695200, {}, '2024-01-31 10:00'],
    [1706695200.5, {}, '2024-01-31 10:00'],
  ])('writes %j with %j in UTC unless the zone is asked for', async (date, options, expected) => {
    const parameters = { operation: 'formatDate', date, format: 'yyyy-MM-dd HH:mm', options };
    expect(await give('dateTime', 2, parameters)).toEqual([{ formattedDate: expected }]);
  });

  it('takes a week and a day of the year, and no time alone', async () => {
    const extract = (date: string) =>
      give('dateTime', 2, { operation: 'extractDate', date, part: 'day' });
    expect(await extract('2024-W05-3T12:00Z')).toEqual([{ datePart: 31 }]);
    expect(await extract('2024-031 12:00')).toEqual([{ datePart: 31 }]);
    expect(await extract('10:00')).toBe('Invalid date format');
  });

  it.each([
    ['DD.MM.YYYY HH:mm', '05.03.2024 15:04'],
    ['dddd, MMMM Do YYYY', 'Tuesday, March 5th 2024'],
    ['[the] D/M/YY h:mm a', 'the 5/3/24 3:04 pm'],
    ['Q WW DDDD d', '1 10 065 2'],
    ['X', '1709651045'],
  ])('of version 1 writes %s', async (toFormat, expected) => {
    const parameters = { value: '2024-03-05T15:04:05Z', custom: true, toFormat };
    expect(await give('dateTime', 1, parameters, { a: 1 })).toEqual([{ a: 1, data: expected }]);
  });

  it('of version 1 reads fields of the clock in the zone of the workflow', async () => {
    const parameters = {
      action: 'calculate',
      value: '2024-03-05 10:00',
      duration: 1,
      timeUnit: 'days',
    };
    expect(await give('dateTime', 1, parameters)).toEqual([{ data: '2024-03-06T15:00:00.000Z' }]);
    const format = {
      value: '05/03/2024',
      options: { fromFormat: 'DD/MM/YYYY' },
      toFormat: 'YYYY-MM-DD',
    };
    expect(await give('dateTime', 1, format)).toEqual([{ data: '2024-03-05' }]);
    expect(await give('dateTime', 1, { value: 'soon' })).toContain('could not be recognized');
  });
});

describe('Crypto', () => {
  it.each([
    [{ value: 'a' }, '0cc175b9c0f1b6a831c399e269772661'],
    [
      { type: 'SHA256', value: 'a', encoding: 'base64' },
      'ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=',
    ],
    [
      { action: 'hmac', type: 'SHA256', value: 'a', secret: 'k' },
      '78da91511e675587f5b9df78bedebaf5560da2abb88162ee875dcdf744951d9e',
    ],
  ])('%j', async (parameters, expected) => {
    const given = (await give('crypto', 1, { dataPropertyName: 'd.x', ...parameters })) as Json[];
    const [{ d }] = given as [{ d: { x: string } }];
    expect(d.x).toBe(expected);
  });

  it.each([
    ['uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
    ['hex', /^[\da-f]{9}$/],
    ['base64', /^[A-Za-z\d]{1,9}$/],
    ['ascii', /^[A-Za-z\d]{9}$/],
  ])('generates %s', async (encodingType, pattern) => {
    const parameters = { action: 'generate', encodingType, stringLength: 9 };
    const [given] = (await give('crypto', 1, parameters, { a: 1 })) as [
      { a: number; data: string },
    ];
    expect(given.data).toMatch(pattern);
    expect(given.a).toBe(1);
  });

  it('says that it knows no such digest', async () => {
    expect(await give('crypto', 1, { type: 'NONE', value: 'a' })).toContain('NONE');
  });
});

const PAGE = '<body><h1>Big</h1><p>a <b>b</b></p><ul><li>x</li><li>y</li></ul></body>';

function extraction(version: number, value: Json, options: Json = {}) {
  const parameters = {
    operation: 'extractHtmlContent',
    extractionValues: { values: [{ key: 'k', ...value }] },
    options,
  };
  return give('html', version, parameters, { data: PAGE });
}

describe('HTML', () => {
  it('lays a text out from version 1.2 on, and leaves out what is to be skipped', async () => {
    expect(await extraction(1, { cssSelector: 'body' })).toEqual([{ k: 'Biga bxy' }]);
    expect(await extraction(1.2, { cssSelector: 'body', skipSelectors: 'h1, ul' })).toEqual([
      { k: 'a b' },
    ]);
  });

  it('knows the places that the source knows', async () => {
    expect(await extraction(1.2, { cssSelector: 'li:eq(1)' })).toEqual([{ k: 'y' }]);
    expect(await extraction(1.2, { cssSelector: 'li[' })).toBe("'li[' is no CSS selector");
  });

  it('says that there is no text', async () => {
    const parameters = { operation: 'extractHtmlContent', dataPropertyName: 'no' };
    expect(await give('html', 1.2, parameters)).toBe('No property named "no" exists!');
  });

  it('writes truths into a table as boxes', async () => {
    const parameters = { operation: 'convertToHtmlTable', options: { customStyling: true } };
    const [{ table }] = (await give('html', 1.2, parameters, { a: true })) as [{ table: string }];
    expect(table).toBe(
      '<table  ><thead  ><tr><th>a</th></tr></thead><tbody><tr  ><td  ><input type="checkbox" checked="checked"/></td></tr></tbody></table>',
    );
  });
});

describe('XML', () => {
  it.each([
    [{}, { a: { k: '1', b: ['x', 'y'] } }],
    [{ explicitArray: true, mergeAttrs: false }, { a: { $: { k: '1' }, b: ['x', 'y'] } }],
    [{ explicitRoot: false }, { k: '1', b: ['x', 'y'] }],
  ])('is read with %j', async (options, expected) => {
    const json = { data: '<a k="1"><b>x</b><b>y</b></a>' };
    expect(await give('xml', 1, { options }, json)).toEqual([expected]);
  });

  it('is written, and read again', async () => {
    const parameters = { mode: 'jsonToxml', options: { headless: true } };
    const [{ data }] = (await give('xml', 1, parameters, { a: { b: ['<x>', 'y'] } })) as [
      { data: string },
    ];
    expect(await give('xml', 1, {}, { data })).toEqual([{ a: { b: ['<x>', 'y'] } }]);
  });

  it('that is broken stops the run', async () => {
    expect(await give('xml', 1, {}, { data: '<a>' })).toMatch(/^Unclosed root tag/);
    expect(await give('xml', 1, {}, {})).toContain('"data"');
    expect(await give('xml', 1, {}, { data: '<a>b</a>' })).toEqual([{ a: 'b' }]);
  });
});

describe('Markdown', () => {
  it('is written under a name with dots, with the options that are set', async () => {
    const parameters = {
      html: '<ul><li>x</li></ul>',
      destinationKey: 'a.b',
      options: { bulletMarker: '-' },
    };
    expect(await give('markdown', 1, parameters)).toEqual([{ a: { b: '- x' } }]);
  });
});
