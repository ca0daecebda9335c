import { readJson, writeJson } from '../desktop/local-store.ts';
import { createStore } from '../ui/store.ts';

type OpenTabs = Readonly<Record<string, readonly string[]>>;

const KEY = 'open-tabs';
const MAX_TABS = 20;

function isTabs(value: unknown): value is OpenTabs {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (list: unknown) => Array.isArray(list) && list.every((ref) => typeof ref === 'string'),
    )
  );
}

/** Open drafts by project, in tab order; remembered in this window. */
export const tabsStore = createStore<OpenTabs>(readJson(KEY, isTabs, {}));
tabsStore.subscribe(() => writeJson(KEY, tabsStore.get()));

/** Gives a draft a tab, after the others. */
export function openTab(projectId: string, ref: string): void {
  tabsStore.set((tabs) => {
    const open = tabs[projectId] ?? [];
    return open.includes(ref) ? tabs : { ...tabs, [projectId]: [...open, ref].slice(-MAX_TABS) };
  });
}

/** Closes a tab and answers the one that takes its place, if any is left. */
export function closeTab(projectId: string, ref: string): string | undefined {
  const open = tabsStore.get()[projectId] ?? [];
  const index = open.indexOf(ref);
  const rest = open.filter((other) => other !== ref);
  tabsStore.set((tabs) => ({ ...tabs, [projectId]: rest }));
  return rest[Math.min(Math.max(index, 0), rest.length - 1)];
}
