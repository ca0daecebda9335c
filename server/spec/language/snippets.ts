import type { BlockName, FieldHelp } from '../schema/field-help.ts';
import { BLOCKS } from '../schema/help.ts';

/** How a snippet is written: on lines of its own, inside of `{…}`, or as JSON. */
export interface SnippetHand {
  readonly style: 'block' | 'flow' | 'json';
  /** Blanks before the lines after the first, beyond the indent of the line it is put on. */
  readonly pad: string;
}

interface Stops {
  last: number;
}

function quotedKey(key: string, { style }: SnippetHand): string {
  return style === 'json' ? `"${key}"` : key;
}

function placeholder(key: string, field: FieldHelp, stops: Stops): string {
  stops.last += 1;
  const at = stops.last;
  if (field.values !== undefined) return `\${${at}|${field.values.join(',')}|}`;
  return field.refers === undefined ? `\${${at}:${key}}` : `$${at}`;
}

function fieldText(key: string, field: FieldHelp, hand: SnippetHand, stops: Stops): string {
  const value = placeholder(key, field, stops);
  const written = hand.style === 'json' && field.type === 'text' ? `"${value}"` : value;
  return `${quotedKey(key, hand)}: ${written}`;
}

/** The required fields of a block, each with a stop for its value. */
function requiredFields(block: BlockName, hand: SnippetHand, stops: Stops): string[] {
  return Object.entries(BLOCKS[block].fields)
    .filter(([, field]) => field.required === true && field.holds === undefined)
    .filter(([, field]) => field.block === undefined || field.values !== undefined)
    .map(([key, field]) => fieldText(key, field, hand, stops));
}

function fieldsOf(block: BlockName | undefined, hand: SnippetHand, stops: Stops): string[] {
  const fields = block === undefined ? [] : requiredFields(block, hand, stops);
  return fields.length > 0 ? fields : ['$0'];
}

function entryName(hand: SnippetHand, stops: Stops): string {
  stops.last += 1;
  const name = `\${${stops.last}:name}`;
  return hand.style === 'json' ? `"${name}"` : name;
}

function flowKey(key: string, field: FieldHelp, hand: SnippetHand): string {
  const stops: Stops = { last: 0 };
  const name = quotedKey(key, hand);
  if (field.holds === 'map' && field.block !== undefined) {
    const entry = entryName(hand, stops);
    return `${name}: {${entry}: {${fieldsOf(field.block, hand, stops).join(', ')}}}`;
  }
  const fields = fieldsOf(field.block, hand, stops).join(', ');
  if (field.holds === 'list') {
    return field.block === undefined ? `${name}: [$0]` : `${name}: [{${fields}}]`;
  }
  return `${name}: {${fields}}`;
}

/** A key whose value is a block, list or map, with what its value must have. */
export function keySnippet(key: string, field: FieldHelp, hand: SnippetHand): string {
  if (hand.style !== 'block') return flowKey(key, field, hand);
  const stops: Stops = { last: 0 };
  const inner = `\n${hand.pad}  `;
  if (field.holds === 'list') {
    const fields = fieldsOf(field.block, hand, stops).join(inner);
    return `${key}:\n${hand.pad}- ${fields}`;
  }
  if (field.holds === 'map' && field.block !== undefined) {
    const entry = entryName(hand, stops);
    const fields = fieldsOf(field.block, hand, stops).join(`${inner}  `);
    return `${key}:${inner}${entry}:${inner}  ${fields}`;
  }
  return `${key}:${inner}${fieldsOf(field.block, hand, stops).join(inner)}`;
}

/** A new entry of a map of blocks. */
export function entrySnippet(block: BlockName, hand: SnippetHand): string {
  const stops: Stops = { last: 0 };
  const name = entryName(hand, stops);
  const fields = fieldsOf(block, hand, stops);
  return hand.style === 'block'
    ? `${name}:\n${hand.pad}  ${fields.join(`\n${hand.pad}  `)}`
    : `${name}: {${fields.join(', ')}}`;
}

/** A new item of a list of blocks; `dash` when the dash is to be written, too. */
export function itemSnippet(block: BlockName, hand: SnippetHand, dash: boolean): string {
  const fields = fieldsOf(block, hand, { last: 0 });
  if (hand.style !== 'block') return `{${fields.join(', ')}}`;
  return dash ? `- ${fields.join(`\n${hand.pad}  `)}` : fields.join(`\n${hand.pad}`);
}
