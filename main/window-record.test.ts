import { expect, test } from 'vitest';
import {
  isOnScreen,
  placeOfAddress,
  projectOfLink,
  projectOfPlace,
  readWindows,
} from './window-record.ts';

const HOME = 'app://specwright';

test('a window whose screen is gone is not put back there', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 };
  const at = (x: number, y: number) => ({ x, y, width: 800, height: 600 });
  expect(isOnScreen(at(100, 100), [screen])).toBe(true);
  expect(isOnScreen(at(1850, 100), [screen])).toBe(false);
  expect(isOnScreen(at(3000, 100), [screen])).toBe(false);
});

test('a place is what stands behind the hash of the own document, and nothing else', () => {
  expect(placeOfAddress(`${HOME}/`, HOME)).toBe('/');
  expect(placeOfAddress(`${HOME}/#/runs?status=failed`, HOME)).toBe('/runs?status=failed');
  expect(placeOfAddress(`${HOME}/stopped.html#/runs`, HOME)).toBeNull();
  for (const address of ['https://example.com/#/runs', `${HOME}/##`, `${HOME}/#//evil`, 'x']) {
    expect(placeOfAddress(address, HOME)).toBeNull();
  }
});

test('places and addresses name their project', () => {
  expect(projectOfPlace('/projects/my%20desk/drafts/a.yaml')).toBe('my desk');
  expect(projectOfPlace('/projects/%zz')).toBe('%zz');
  expect(projectOfPlace('/runs')).toBeNull();
  expect(projectOfPlace(null)).toBeNull();
  expect(projectOfLink('specwright://project/my%20desk/draft/a.yaml')).toBe('my desk');
  expect(projectOfLink('specwright://run/1')).toBeNull();
});

test('saved windows are read one by one: what is no window, and a name told twice, is left out', () => {
  const found = readWindows([
    { id: 'a', place: '/runs', connection: 'team' },
    { id: 'a', place: '/tasks' },
    { id: '../b', place: '/runs' },
    { id: 'c', place: '//evil', maximized: 'yes', bounds: { x: 0 } },
    null,
    'd',
  ]);
  const none = { bounds: undefined, maximized: false, project: null };
  expect(found).toEqual([
    { ...none, id: 'a', place: '/runs', connection: 'team' },
    { ...none, id: 'c', place: null, connection: null },
  ]);
  expect(readWindows('no list')).toEqual([]);
});
