import { preferencesStore } from '../../data/preferences.ts';
import { keepPreferences } from '../../ui/keep-preferences.ts';
import { useStore } from '../../ui/store.ts';

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

/** The ids of the columns that a person chose, in every window of theirs; null = the usual ones. */
export function useColumnChoice(): readonly string[] | null {
  return useStore(preferencesStore).run_columns ?? null;
}

/** Keeps a choice; null goes back to the usual columns. */
export function chooseColumns(ids: readonly string[] | null): void {
  keepPreferences({ run_columns: ids === null ? null : [...ids] });
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
