import { useEffect } from 'react';
import { createStore } from '../ui/store.ts';

/** Something the palette can go to, beside the commands. */
export interface PaletteItem {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly detail?: string;
  readonly run: () => void;
}

/** Items by the part of the window that offers them. */
export const paletteItemsStore = createStore<ReadonlyMap<string, readonly PaletteItem[]>>(
  new Map(),
);

/** Offers items while the component is mounted. `items` must be stable between renders. */
export function usePaletteItems(source: string, items: readonly PaletteItem[]): void {
  useEffect(() => {
    paletteItemsStore.set((all) => new Map(all).set(source, items));
    return () => {
      paletteItemsStore.set((all) => {
        const rest = new Map(all);
        rest.delete(source);
        return rest;
      });
    };
  }, [source, items]);
}
