import { createElement, Fragment, type ReactNode } from 'react';
import { type PartValues, pieces } from '../../preload/texts/t.ts';

/**
 * A text with elements in it, in the language that is spoken: `<name>…</name>` in the message is a
 * function of `values`, `{name}` a value, which may be an element.
 */
export function rich(text: string, values: PartValues<ReactNode>): ReactNode {
  return createElement(Fragment, null, ...pieces(text, values));
}
