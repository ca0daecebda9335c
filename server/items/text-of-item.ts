import type { Item } from './item.ts';

/** Fields that hold what is said, where a step of text is given an item. */
const SAID = ['chatInput', 'output', 'text'] as const;

/** An item as the text that an agent or a person gets: what it says, else its fields as JSON. */
export function textOfItem({ json }: Item): string {
  for (const field of SAID) {
    const value = json[field];
    if (typeof value === 'string') return value;
  }
  return JSON.stringify(json);
}

/** Items as one text: of a single one that is nothing but a text that text, else all fields as JSON. */
export function textOfItems(items: readonly Item[]): string {
  const [first, second] = items;
  if (first === undefined) return '';
  if (second !== undefined) return JSON.stringify(items.map(({ json }) => json));
  const [only, ...others] = Object.values(first.json);
  return typeof only === 'string' && others.length === 0 ? only : JSON.stringify(first.json);
}
