import type { JsonObject } from '../../items/item.ts';

/** Makes a converter once for the same options: an item's own takes longer than its text. */
export function keptByOptions<Made>(
  make: (options: JsonObject) => Made,
): (options: JsonObject) => Made {
  let last: { readonly key: string; readonly made: Made } | undefined;
  return (options) => {
    const key = JSON.stringify(options);
    if (last?.key !== key) last = { key, made: make(options) };
    return last.made;
  };
}
