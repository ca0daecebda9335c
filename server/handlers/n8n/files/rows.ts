import { load } from 'cheerio/slim';
import { parse } from 'csv-parse/browser/esm/sync';
import { stringify } from 'csv-stringify/browser/esm/sync';
import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { FieldFailure } from '../fields.ts';
import { refuseDeepHtml } from '../html/costly-text.ts';

/** How a text is read as rows. */
export interface ReadRows {
  readonly delimiter: string;
  readonly hasHeader: boolean;
  readonly keepsEmpty: boolean;
  readonly leavesMark: boolean;
  readonly fromLine: number;
  /** 0 means all. */
  readonly most: number;
  readonly relaxesQuotes: boolean;
  readonly skipsBroken: boolean;
}

function withoutEmpty(row: object): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));
}

/** Rows of a table as fields: by header, or under `row` where there is none. */
function fieldsOf(row: unknown, { hasHeader, keepsEmpty }: ReadRows): JsonObject {
  const given: object = typeof row === 'object' && row !== null ? row : {};
  const cells = keepsEmpty ? given : withoutEmpty(given);
  return hasHeader && isObject(cells) ? cells : { row: cells };
}

/** The rows of a text with delimiters. @throws FieldFailure when it is none */
export function readDelimited(text: string, how: ReadRows): JsonObject[] {
  let rows: unknown;
  try {
    rows = parse(text, {
      delimiter: how.delimiter,
      bom: !how.leavesMark,
      columns: how.hasHeader,
      from_line: Math.max(1, how.fromLine),
      ...(how.most > 0 ? { to: how.most } : {}),
      relax_quotes: how.relaxesQuotes,
      skip_records_with_error: how.skipsBroken,
    });
  } catch (error) {
    throw new FieldFailure(error instanceof Error ? error.message : 'The file is no CSV');
  }
  return Array.isArray(rows) ? rows.map((row) => fieldsOf(row, how)) : [];
}

function flattened(value: JsonObject, before = ''): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const name = `${before}${key}`;
      return isObject(inner) || Array.isArray(inner)
        ? Object.entries(flattened({ ...inner }, `${name}.`))
        : [[name, inner] as const];
    }),
  );
}

interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

function tableOf(items: readonly JsonObject[]): Table {
  const flat = items.map((json) => flattened(json));
  const headers = [...new Set(flat.flatMap(Object.keys))];
  return { headers, rows: flat.map((row) => headers.map((name) => row[name])) };
}

const BYTE_ORDER_MARK = '\ufeff';

/** Items as CSV, as the source writes it: what is inside of objects by names with dots. */
export function writeDelimited(
  items: readonly JsonObject[],
  delimiter: string,
  hasHeader: boolean,
): string {
  const { headers, rows } = tableOf(items);
  const cells = rows.map((row) =>
    row.map((value) => (typeof value === 'boolean' ? String(value).toUpperCase() : value)),
  );
  const all = hasHeader ? [[...headers], ...cells] : cells;
  return `${BYTE_ORDER_MARK}${stringify(all, { delimiter, eof: false })}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(value: unknown): string {
  return String(value ?? '').replaceAll(/[&<>]/g, (letter) => ESCAPES[letter] ?? letter);
}

/** Items as a page with one table. */
export function writeHtmlTable(items: readonly JsonObject[], hasHeader: boolean): string {
  const { headers, rows } = tableOf(items);
  const lines = (hasHeader ? [headers, ...rows] : rows).map(
    (row) => `<tr>${row.map((value) => `<td>${escaped(value)}</td>`).join('')}</tr>`,
  );
  return `<html><head><meta charset="utf-8"/></head><body><table>${lines.join('')}</table></body></html>`;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A cell as a sheet has it: numbers and truths are no texts. */
export function typedCell(text: string): unknown {
  if (NUMBER.test(text)) return Number(text);
  if (text === 'TRUE') return true;
  return text === 'FALSE' ? false : text;
}

/** The rows of the first table of a page. */
export function readHtmlTable(html: string, how: ReadRows): JsonObject[] {
  refuseDeepHtml(html);
  const $ = load(html);
  const cells = $('table')
    .first()
    .find('tr')
    .toArray()
    .map((row) =>
      $(row)
        .find('td, th')
        .toArray()
        .map((cell) => $(cell).text().trim()),
    );
  const [headers = [], ...rows] = how.hasHeader ? cells : [[], ...cells];
  return rows.map((row) => {
    const typed = row.map(typedCell);
    const named = Object.fromEntries(headers.map((name, at) => [name, typed[at] ?? '']));
    return fieldsOf(how.hasHeader ? named : typed, how);
  });
}
