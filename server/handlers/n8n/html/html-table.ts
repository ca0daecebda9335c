import type { Item, JsonObject } from '../../../items/item.ts';
import type { Settings } from '../step-settings.ts';

const STYLES = {
  table: "style='border-spacing:0; font-family:helvetica,arial,sans-serif'",
  head: "style='margin:0; padding:7px 20px 7px 0px; border-bottom:1px solid #eee; text-align:left; color:#888; font-weight:normal'",
  cell: "style='margin:0; padding:7px 20px 7px 0px; border-bottom:1px solid #eee'",
};

function capitalized(header: string): string {
  return header
    .split('_')
    .filter((word) => word !== '')
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join(' ');
}

function cellText(value: unknown): string {
  if (typeof value !== 'boolean') return String(value);
  return `<input type="checkbox" ${value ? 'checked="checked"' : ''}/>`;
}

/** A table of items, a row for each, as the source writes it: texts are not escaped. */
export function htmlTable(items: readonly Item[], settings: Settings): string {
  const isPlain = settings.isOn('options.customStyling');
  const style = (part: keyof typeof STYLES): string => (isPlain ? '' : STYLES[part]);
  const attributes = (part: string): string => settings.text(`options.${part}Attributes`);
  const headers = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
  const shown = settings.isOn('options.capitalize') ? headers.map(capitalized) : headers;
  const caption = settings.text('options.caption');
  const cell = (json: JsonObject) => (header: string) =>
    `<td ${style('cell')} ${attributes('cell')}>${cellText(json[header])}</td>`;
  return [
    `<table ${style('table')} ${attributes('table')}>`,
    caption === '' ? '' : `<caption>${caption}</caption>`,
    `<thead ${style('head')} ${attributes('header')}>`,
    `<tr>${shown.map((header) => `<th>${header}</th>`).join('')}</tr></thead><tbody>`,
    ...items.map(
      ({ json }) => `<tr  ${attributes('row')}>${headers.map(cell(json)).join('')}</tr>`,
    ),
    '</tbody></table>',
  ].join('');
}
