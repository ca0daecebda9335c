import { useSingleKeysOn } from '../app/use-single-keys.ts';

/** Shows the single key of a button; nothing while single keys are switched off. */
export function SingleKey(props: { readonly name: string }) {
  return useSingleKeysOn() ? <kbd className="sw-kbd">{props.name}</kbd> : null;
}
