import { readJson, writeJson } from '../../desktop/local-store.ts';
import { createStore } from '../../ui/store.ts';

const KEY = 'runs:columns';

/** What a choice of columns needs to know of one. */
export interface ChoosableColumn {
  readonly id: string;
  /** Width of the window below which it is left out, unless it was chosen. */
  readonly least?: number;
  /** Shown only when it is chosen. */
  readonly extra?: boolean;
  /** Always shown. */
  readonly fixed?: boolean;
}

function isIds(value: unknown): value is readonly string[] | null {
  return value === null || (Array.isArray(value) && value.every((id) => typeof id === 'string'));
}

/** The ids of the columns that a person chose; null = the usual ones. Kept over restarts. */
export const columnChoice = createStore<readonly string[] | null>(readJson(KEY, isIds, null));

/** Keeps a choice; null goes back to the usual columns. */
export function chooseColumns(ids: readonly string[] | null): void {
  columnChoice.set(() => ids);
  writeJson(KEY, ids);
}

/** The columns to draw, in their usual order. */
export function chosenColumns<Column extends ChoosableColumn>(
  all: readonly Column[],
  chosen: readonly string[] | null,
  room: number,
): readonly Column[] {
  return all.filter(({ id, least, extra, fixed }) => {
    if (fixed === true) {
      return true;
    }
    if (chosen !== null) {
      return chosen.includes(id);
    }
    return extra !== true && room >= (least ?? 0);
  });
}

/** The choice after one column was switched. */
export function switchColumn(
  all: readonly ChoosableColumn[],
  shown: readonly string[],
  id: string,
): readonly string[] {
  return all
    .map((column) => column.id)
    .filter((known) => (known === id ? !shown.includes(id) : shown.includes(known)));
}
