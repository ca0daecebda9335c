import { readJson, writeJson } from '../desktop/local-store.ts';
import { createStore } from '../ui/store.ts';

export type PanelId = 'problems' | 'output';

/** Which parts of the frame are open; remembered in this window. */
export interface LayoutState {
  readonly sidebar: boolean;
  readonly panel: boolean;
  readonly side: boolean;
  readonly activePanel: PanelId;
}

const KEY = 'layout';
const INITIAL: LayoutState = { sidebar: true, panel: false, side: true, activePanel: 'problems' };

function isLayout(value: unknown): value is LayoutState {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(INITIAL).every((key) => Object.hasOwn(value, key))
  );
}

/** The frame's layout. */
export const layoutStore = createStore<LayoutState>(readJson(KEY, isLayout, INITIAL));
layoutStore.subscribe(() => writeJson(KEY, layoutStore.get()));

/** Opens or closes one part of the frame. */
export function togglePart(part: 'sidebar' | 'panel' | 'side'): void {
  layoutStore.set((layout) => ({ ...layout, [part]: !layout[part] }));
}

/** Opens the bottom panel at one of its tabs. */
export function showPanel(activePanel: PanelId): void {
  layoutStore.set((layout) => ({ ...layout, panel: true, activePanel }));
}
