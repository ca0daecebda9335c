import { afterAll, describe, expect, it } from 'vitest';
import { callHandler } from '../../../../test/support/handler-call.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import type { Item } from '../../../items/item.ts';
import { StepFailure } from '../../handler.ts';
import { fileOf } from './file-reference.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

type Json = Record<string, unknown>;

/** What a step gives for items, or why it fails. */
async function give(type: string, parameters: Json, items: readonly Item[], version = 1.1) {
  try {
    const of = { type, version, parameters, inputs: [items] };
    return (await callHandler(evaluator, of)).outputs[0] ?? [];
  } catch (error) {
    if (error instanceof StepFailure) return error.message;
    throw error;
  }
}

function withFile(bytes: string | Uint8Array, fileName: string, json: Json = {}): Item[] {
  const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return [{ json, binary: { data: fileOf(content, { fileName }) } }];
}

function jsons(given: readonly Item[] | string): unknown {
  return typeof given === 'string' ? given : given.map(({ json }) => json);
}

function textIn(given: readonly Item[] | string, name = 'data'): string {
  if (typeof given === 'string') throw new Error(given);
  return Buffer.from(given[0]?.binary?.[name]?.data ?? '', 'base64').toString();
}

describe('what is told of a file', () => {
  it.each([
    ['a.png', undefined, 'image/png', 'image', 'png'],
    ['b.tar.gz', undefined, 'application/gzip', undefined, 'gz'],
    ['', 'application/pdf', 'application/pdf', 'pdf', 'pdf'],
    ['noname', undefined, 'text/plain', 'text', 'txt'],
  ])('%j of the type %j', (fileName, given, mimeType, fileType, fileExtension) => {
    expect(fileOf(new Uint8Array(1), { fileName, mimeType: given })).toMatchObject({
      ...{ mimeType, fileExtension, fileSize: '1 B' },
      ...(fileType === undefined ? {} : { fileType }),
    });
  });

  it('its size in steps of a thousand', () => {
    expect(fileOf(new Uint8Array(1_234_567), {}).fileSize).toBe('1.23 MB');
  });
});

describe('rows', () => {
  const rows: Item[] = [{ json: { a: 'x;y', b: { c: [1, 2] } } }, { json: { a: null, d: true } }];

  it('are written with the delimiter and without header when that is asked for', async () => {
    const options = { delimiter: ';', headerRow: false };
    expect(textIn(await give('convertToFile', { options }, rows))).toBe(
      '\ufeff"x;y";1;2;\n;;;TRUE',
    );
  });

  it('are one table of a page, and read from one', async () => {
    const page = await give('convertToFile', { operation: 'html' }, rows);
    expect(textIn(page)).toContain('<td>x;y</td>');
    const read = await give('extractFromFile', { operation: 'html' }, page as Item[]);
    expect(jsons(read)).toEqual([{ a: 'x;y', 'b.c.0': 1, 'b.c.1': 2 }, { d: 'true' }]);
  });

  it('end where enough are read, and begin where they begin', async () => {
    const file = withFile('no\na,b\n1,2\n3,4\n5,6\n', 'x.csv');
    const options = { fromLine: 2, maxRowCount: 2 };
    expect(jsons(await give('extractFromFile', { options }, file))).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ]);
  });

  it('that are broken are told', async () => {
    const file = withFile('a,b\n1,2,3\n', 'x.csv');
    expect(await give('extractFromFile', {}, file)).toContain('Invalid Record Length');
  });

  it('of version 1 of the spreadsheet are typed', async () => {
    const file = withFile('a,b\n1,x\n', 'x.csv');
    expect(jsons(await give('spreadsheetFile', {}, file, 1))).toEqual([{ a: 1, b: 'x' }]);
    expect(jsons(await give('spreadsheetFile', {}, file, 2))).toEqual([{ a: '1', b: 'x' }]);
  });

  it.each(['xlsx', 'ods', 'pdf'])('of the format %s are not supported', async (operation) => {
    expect(await give('extractFromFile', { operation }, withFile('', 'x'))).toContain(
      `'${operation}'`,
    );
  });
});

describe('texts', () => {
  it('in another encoding are written and read', async () => {
    const parameters = {
      operation: 'toText',
      sourceProperty: 't',
      options: { encoding: 'latin1' },
    };
    const file = await give('convertToFile', parameters, [{ json: { t: 'grün' } }]);
    const read = { operation: 'text', options: { encoding: 'latin1' } };
    expect(jsons(await give('extractFromFile', read, file as Item[]))).toEqual([{ data: 'grün' }]);
  });

  it('that are no JSON, and files that are not there, are told', async () => {
    const read = { operation: 'fromJson' };
    expect(await give('extractFromFile', read, withFile('{', 'x.json'))).toContain(
      'not valid JSON',
    );
    expect(await give('extractFromFile', read, [{ json: {} }])).toContain("binary file 'data'");
  });
});

describe('Move Binary Data', () => {
  it('makes fields of a file, and leaves the file out', async () => {
    const file = withFile('{"a":1}', 'x.json', { b: 2 });
    expect(await give('moveBinaryData', {}, file)).toEqual([
      { json: { a: 1 }, pairedItem: { item: 0 } },
    ]);
    const parameters = { setAllData: false, destinationKey: 'd.x', options: { jsonParse: true } };
    expect(jsons(await give('moveBinaryData', parameters, file))).toEqual([
      { b: 2, d: { x: { a: 1 } } },
    ]);
  });

  it('makes a file of fields, all or one', async () => {
    const items = [{ json: { a: { b: 1 }, c: 2 } }];
    const all = await give('moveBinaryData', { mode: 'jsonToBinary' }, items);
    expect(textIn(all)).toBe('{"a":{"b":1},"c":2}');
    const one = {
      mode: 'jsonToBinary',
      convertAllData: false,
      sourceKey: 'a',
      destinationKey: 'f',
    };
    const given = await give('moveBinaryData', one, items);
    expect(textIn(given, 'f')).toBe('{"b":1}');
    expect(jsons(given)).toEqual([{ c: 2 }]);
  });
});

describe('Compression', () => {
  it('packs into gzip and unpacks again', async () => {
    const pack = { operation: 'compress', outputFormat: 'gzip' };
    const packed = await give('compression', pack, withFile('hello', 'a.txt', { k: 1 }));
    expect(packed).toMatchObject([{ json: { k: 1 }, binary: { data: { fileName: 'a.txt.gz' } } }]);
    const unpacked = await give('compression', {}, packed as Item[]);
    expect(textIn(unpacked, 'file_0')).toBe('hello');
  });

  it('tells of a file that is no archive', async () => {
    expect(await give('compression', {}, withFile('x', 'a.zip'))).toContain('no zip archive');
    expect(await give('compression', {}, withFile('x', 'a.gz'))).toContain('no gzip file');
    expect(await give('compression', {}, withFile('x', 'a.txt'))).toContain('neither');
  });

  it('unpacks no more than fits', async () => {
    const { gzipSync } = await import('node:zlib');
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(70 * 1024 * 1024)));
    expect(await give('compression', {}, withFile(bomb, 'a.gz'))).toContain('more than 64 MiB');
  });
});
