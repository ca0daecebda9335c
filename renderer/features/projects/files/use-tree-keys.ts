import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { rowAfterKey, type TreeRow } from './tree-rows.ts';

/** Where the keyboard is in the tree, by the pattern of WAI-ARIA for trees. */
export function useTreeKeys(options: {
  readonly rows: readonly TreeRow[];
  readonly onToggle: (key: string, open: boolean) => void;
  readonly onMenu: (row: TreeRow, at: DOMRect) => void;
  readonly onDelete: (row: TreeRow) => void;
  readonly onRename: (row: TreeRow) => void;
  readonly onReach: (index: number) => void;
}) {
  const { rows } = options;
  const [key, setKey] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  const index = Math.max(
    0,
    rows.findIndex((row) => row.key === key),
  );
  useEffect(() => {
    if (wanted.current) {
      const row = tree.current?.querySelector<HTMLElement>(`[tabindex="0"][role="treeitem"]`);
      if (row !== null && row !== undefined) {
        wanted.current = false;
        row.focus({ preventScroll: true });
      }
    }
  });
  const go = (to: number): void => {
    const row = rows[to];
    if (row !== undefined) {
      wanted.current = true;
      setKey(row.key);
      options.onReach(to);
    }
  };
  const onFolder = (row: TreeRow, pressed: string): boolean => {
    if (row.type !== 'folder') {
      return false;
    }
    const isClosing = pressed === 'ArrowLeft' && row.open;
    const isOpening = pressed === 'ArrowRight' && !row.open;
    const isToggling = pressed === 'Enter' || pressed === ' ';
    if (isClosing || isOpening || isToggling) {
      options.onToggle(row.key, !row.open);
      return true;
    }
    return false;
  };
  const onAction = (row: TreeRow, event: KeyboardEvent, element: HTMLElement): boolean => {
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      options.onMenu(row, element.getBoundingClientRect());
    } else if (event.key === 'Enter' || event.key === ' ') {
      element.querySelector<HTMLElement>('.sw-file-main')?.click();
    } else if (event.key === 'Delete') {
      options.onDelete(row);
    } else if (event.key === 'F2') {
      options.onRename(row);
    } else {
      return false;
    }
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const row = rows[index];
    const element = event.target;
    const isRow = element instanceof HTMLElement && element.getAttribute('role') === 'treeitem';
    if (row === undefined || !isRow || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (onFolder(row, event.key) || onAction(row, event, element)) {
      event.preventDefault();
      return;
    }
    const next = rowAfterKey(rows, index, event.key);
    if (next !== index || event.key.startsWith('Arrow')) {
      event.preventDefault();
      event.stopPropagation();
      go(next);
    }
  };
  /** The keyboard goes back to the row where it was. */
  const back = (): void => {
    wanted.current = true;
  };
  return { tree, index, setKey, onKeyDown, back };
}
