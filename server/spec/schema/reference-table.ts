import type { BlockName, FieldHelp } from './field-help.ts';
import { BLOCKS } from './help.ts';

function typeOf(field: FieldHelp): string {
  const one = field.values
    ? field.values.map((value) => `\`${value}\``).join(', ')
    : field.block
      ? `\`${field.block}\` block`
      : field.type;
  const held = field.holds === 'list' ? `list of ${one}` : one;
  const whole = field.holds === 'map' ? `${one} by name` : held;
  return field.nullable ? `${whole}; or null` : whole;
}

function standardOf(field: FieldHelp): string {
  if (field.required) return 'required';
  return field.standard === undefined ? '' : `\`${field.standard}\``;
}

/** The fields of a block as a Markdown table, for the reference page. */
export function referenceTable(name: BlockName): string {
  const { fields, open } = BLOCKS[name];
  const rows = Object.entries(fields).map(
    ([key, field]) => `| \`${key}\` | ${typeOf(field)} | ${standardOf(field)} | ${field.help} |`,
  );
  const note = open ? ['', 'Other keys are accepted.'] : [];
  return [
    '| Field | Type | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...note,
  ].join('\n');
}

const MARKED = /(<!-- fields: ([a-z_-]+) -->\n)[\s\S]*?(<!-- end -->)/g;

function isBlock(name: string): name is BlockName {
  return Object.hasOwn(BLOCKS, name);
}

/**
 * The page with the table of every marked block written anew.
 * @throws TypeError for a mark that names no block.
 */
export function withTables(page: string): string {
  return page.replace(MARKED, (_, begin: string, name: string, end: string) => {
    if (!isBlock(name)) throw new TypeError(`There is no block ${name}.`);
    return `${begin}${referenceTable(name)}\n${end}`;
  });
}
