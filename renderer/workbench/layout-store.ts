import { readJson, writeJson } from '../desktop/local-store.ts';
import { createStore } from '../ui/store.ts';
import { hasRoom, type Room } from '../ui/use-room.ts';

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

/** The parts that fold where the window has no room for them. */
export type FramePart = 'sidebar' | 'panel' | 'side';

/** What each part needs; in a smaller or zoomed window it opens over the rest instead. */
export const PART_ROOM: Readonly<Record<FramePart, Room>> = {
  sidebar: { width: 760 },
  panel: { height: 480 },
  side: { width: 860 },
};

/** The part that lies over the rest because it has no room beside it. */
export const overStore = createStore<FramePart | null>(null);

/** Closes what lies over the rest. */
export function closeOver(): void {
  overStore.set(null);
}

/** Whether a part is to be seen now, in its place or over the rest. */
export function isPartShown(part: FramePart): boolean {
  return hasRoom(PART_ROOM[part]) ? layoutStore.get()[part] : overStore.get() === part;
}

/** Opens or closes one part of the frame. */
export function togglePart(part: FramePart): void {
  if (!hasRoom(PART_ROOM[part])) {
    overStore.set((over) => (over === part ? null : part));
    return;
  }
  layoutStore.set((layout) => ({ ...layout, [part]: !layout[part] }));
}

/** Opens or closes the bottom panel; where no draft is in front it holds only the output. */
export function togglePanel(hasDraft: boolean): void {
  if (!hasDraft && layoutStore.get().activePanel === 'problems') {
    showPanel('output');
    return;
  }
  togglePart('panel');
}

/** Opens the bottom panel at one of its tabs. */
export function showPanel(activePanel: PanelId): void {
  if (!hasRoom(PART_ROOM.panel)) {
    layoutStore.set((layout) => ({ ...layout, activePanel }));
    overStore.set('panel');
    return;
  }
  layoutStore.set((layout) => ({ ...layout, panel: true, activePanel }));
}
