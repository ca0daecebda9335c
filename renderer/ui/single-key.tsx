import { type SingleKeyId, singleKeyOf, useChangedSingleKeys } from '../app/single-keys.ts';
import { useSingleKeysOn } from '../app/use-single-keys.ts';

/** Shows the single key of a button; nothing while it has none or single keys are switched off. */
export function SingleKey(props: { readonly of: SingleKeyId }) {
  const key = singleKeyOf(props.of, useChangedSingleKeys());
  return useSingleKeysOn() && key !== null ? <kbd className="sw-kbd">{key}</kbd> : null;
}
