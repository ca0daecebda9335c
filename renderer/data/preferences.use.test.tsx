// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { freshWindows, peer } from '../../test/support/mounted.ts';
import { setConnection } from './chosen-connection.ts';
import {
  followPreferences,
  preferencesStore,
  readPreferences,
  savePreferences,
  setChooser,
  takePreferences,
} from './preferences.ts';

freshWindows();

const PATH = '/dashboard/api/settings/preferences';
const held = (preferences: object, version: number) => ({
  ...{ preferences, version, is_default: false },
});

test('what is not understood is left out, what another client keeps stays', () => {
  expect(readPreferences({ theme: 'pink', muted: ['task'], other: 1 })).toEqual({
    theme: undefined,
    muted: ['task'],
    other: 1,
  });
  expect(readPreferences('none')).toEqual({});
});

test('a choice made before anybody signed in holds in this browser and changes no account', async () => {
  setChooser(undefined);
  await savePreferences({ theme: 'light' });
  // It turns out that nobody is signed in.
  setChooser(null);
  await savePreferences({ language: 'de', density: 'compact' });
  expect(preferencesStore.get()).toMatchObject({ theme: 'light', language: 'de' });
  setChooser('ada');
  peer.answer('GET', PATH, 200, held({ theme: 'dark', language: 'zh' }, 4));
  takePreferences({ theme: 'dark', language: 'zh' });
  await Promise.resolve();
  expect(preferencesStore.get()).toEqual({ theme: 'dark', language: 'zh' });
  expect(localStorage.getItem('sw:unsent-preferences')).toBeNull();
  expect([...peer.reads, ...peer.writes]).toEqual([]);
});

test('what one person chose before the service answered is not told to the account of another', async () => {
  setChooser(null);
  setChooser('ada');
  await savePreferences({ theme: 'dark' });
  setChooser('bob');
  takePreferences({ theme: 'light' });
  expect(preferencesStore.get()).toEqual({ theme: 'light' });
  peer.answer('GET', PATH, 200, held({}, 1));
  peer.answer('PUT', PATH, 200, held({ theme: 'dark' }, 2));
  setChooser('ada');
  takePreferences({});
  await vi.waitFor(() =>
    expect(peer.writes.map(({ body }) => body)).toEqual([
      { preferences: { theme: 'dark' }, version: 1 },
    ]),
  );
  await vi.waitFor(() => expect(localStorage.getItem('sw:unsent-preferences')).toBe('{}'));
});

test('what is chosen before the service answers holds, and is told when it has', async () => {
  setChooser(undefined);
  await savePreferences({ language: 'de' });
  setChooser('');
  expect(peer.writes).toEqual([]);
  peer.answer('GET', PATH, 200, held({ theme: 'light' }, 4));
  peer.answer('PUT', PATH, 200, held({ theme: 'light', language: 'de' }, 5));
  takePreferences({ theme: 'light' });
  expect(preferencesStore.get()).toMatchObject({ theme: 'light', language: 'de' });
  await vi.waitFor(() =>
    expect(peer.writes.map(({ body }) => body)).toEqual([
      { preferences: { theme: 'light', language: 'de' }, version: 4 },
    ]),
  );
  await vi.waitFor(() => expect(localStorage.getItem('sw:unsent-preferences')).toBe('{}'));
  takePreferences({ theme: 'dark' });
  expect(preferencesStore.get().language).toBeUndefined();
});

test('a choice holds at once and is written over what is stored by then', async () => {
  takePreferences({ theme: 'light' });
  peer.answer('GET', PATH, 200, held({ theme: 'light', start: 'runs' }, 4));
  peer.answer('PUT', PATH, 200, held({ theme: 'dark', start: 'runs' }, 5));
  const saving = savePreferences({ theme: 'dark' });
  expect(preferencesStore.get().theme).toBe('dark');
  await saving;
  expect(peer.writes.map(({ body }) => body)).toEqual([
    { preferences: { theme: 'dark', start: 'runs' }, version: 4 },
  ]);
  expect(preferencesStore.get().start).toBe('runs');
});

test('a choice that the service does not take still holds in this window, and says so', async () => {
  takePreferences({});
  peer.answer('GET', PATH, 200, held({}, 0));
  const refusal = { code: 'service_unavailable', message: 'Later.', request_id: 'bff-1' };
  peer.answer('PUT', PATH, 503, refusal);
  await expect(savePreferences({ density: 'compact' })).rejects.toThrow('Later.');
  expect(preferencesStore.get().density).toBe('compact');
});

test('what another window of the same services chooses holds here at once, and nothing else changes', async () => {
  preferencesStore.set({ theme: 'dark', shortcuts: { 'draft.save': 'mod+L' } });
  const told: unknown[] = [];
  const stop = followPreferences((change) => told.push(change));
  const other = new BroadcastChannel('preferences');
  other.postMessage({ connection: 'elsewhere', change: { theme: 'light' } });
  other.postMessage('nonsense');
  other.postMessage({ connection: null, change: { shortcuts: {} } });
  await expect.poll(() => told).toEqual([{ shortcuts: {} }]);
  expect(preferencesStore.get()).toEqual({ theme: 'dark', shortcuts: {} });
  expect(Object.keys(told[0] ?? {})).toEqual(['shortcuts']);
  stop();
  // A window tells the others which services its choice is for.
  const heard = new Promise<unknown>((resolve) => {
    other.onmessage = ({ data }) => resolve(data);
  });
  setConnection('team');
  takePreferences({});
  peer.answer('GET', PATH, 200, held({}, 0));
  peer.answer('PUT', PATH, 200, held({ density: 'compact' }, 1));
  await savePreferences({ density: 'compact' });
  expect(await heard).toEqual({ connection: 'team', change: { density: 'compact' } });
  other.close();
  setConnection(null);
});
