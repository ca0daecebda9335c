import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../preload/commands.ts';
import { type MenuFacts, menuTemplate, SHELL_COMMANDS } from './menu-model.ts';

const PLATFORMS = ['linux', 'win32', 'darwin'] as const;

function make(platform: NodeJS.Platform, part: Partial<MenuFacts> = {}) {
  const said: string[] = [];
  const template = menuTemplate(
    { platform, name: 'Specwright', isPackaged: true, recent: [], shortcuts: {}, ...part },
    { command: (id) => said.push(id), openProject: (id) => said.push(`project ${id}`) },
  );
  return { said, template };
}

function itemsOf(template: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [
    item,
    ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : []),
  ]);
}

/** Chooses an item as the system does; a role needs nothing of ours. */
function choose(item: MenuItemConstructorOptions | undefined): void {
  const click: unknown = item?.click;
  if (typeof click === 'function') click();
}

describe.each(PLATFORMS)('the menu of %s', (platform) => {
  const { said, template } = make(platform);
  const items = itemsOf(template);

  test('has its menus in the order of the system', () => {
    const menus = ['File', 'Edit', 'View', 'Go', 'Run', 'Window', 'Help'];
    const labels = template.map(({ label }) => label);
    expect(labels).toEqual(platform === 'darwin' ? ['Specwright', ...menus] : menus);
  });

  test('has every command of the palette once, with its words and its keys', () => {
    const ids = items.flatMap(({ id }) => id ?? []);
    const wanted = COMMANDS.filter(({ when }) => when !== 'browser').map(({ id }) => id);
    expect(ids.toSorted()).toEqual(wanted.toSorted());
    for (const { id, title, shortcut } of COMMANDS) {
      const item = items.find((one) => one.id === id);
      if (item === undefined) continue;
      expect(item.label).toBe(title);
      expect(item.accelerator === undefined).toBe(shortcut === undefined);
    }
  });

  test('every item is a command that is told, a role, or a list of its own', () => {
    for (const item of items) {
      const isList = item.submenu !== undefined;
      expect([item.id, item.role, item.type, isList].some(Boolean)).toBe(true);
      if (item.id === undefined) continue;
      said.length = 0;
      choose(item);
      expect(said).toEqual([item.id]);
      expect(item.enabled).toBe(SHELL_COMMANDS.has(item.id));
    }
  });

  test('quits where people of the system look for it, and shows no developer tools', () => {
    const [first] = template;
    expect(itemsOf(first === undefined ? [] : [first]).at(-1)?.role).toBe('quit');
    expect(items.some(({ role }) => role === 'toggleDevTools')).toBe(false);
  });
});

test('keys are those of the palette, as the system writes them', () => {
  const items = itemsOf(make('linux').template);
  const keys = (id: string) => items.find((one) => one.id === id)?.accelerator;
  expect(keys('palette.open')).toBe('CmdOrCtrl+K');
  expect(keys('go.back')).toBe('Alt+Left');
  expect(keys('draft.preview')).toBe('CmdOrCtrl+Shift+Return');
  expect(keys('go.settings')).toBe('CmdOrCtrl+,');
});

test('changed keys are shown, and none where somebody wants none', () => {
  const shortcuts = { 'draft.save': 'mod+shift+L', 'view.sidebar': null };
  const items = itemsOf(make('linux', { shortcuts }).template);
  const keys = (id: string) => items.find((one) => one.id === id)?.accelerator;
  expect(keys('draft.save')).toBe('CmdOrCtrl+Shift+L');
  expect(keys('view.sidebar')).toBeUndefined();
  expect(keys('view.zoom-in')).toBe('CmdOrCtrl+Plus');
});

test('recent projects open; a name with & stays one', () => {
  const none = itemsOf(make('linux').template).find(({ label }) => label === 'Open recent');
  expect(none?.enabled).toBe(false);
  const recent = [
    { id: 'p1', name: 'Sales & more' },
    { id: 'p2', name: 'Desk' },
  ];
  const { said, template } = make('linux', { recent });
  const items = itemsOf(template);
  expect(items.find(({ label }) => label === 'Open recent')?.enabled).toBe(true);
  choose(items.find(({ label }) => label === 'Sales && more'));
  expect(said).toEqual(['project p1']);
});
