import { expect, test } from 'vitest';
import { createOpenedFolders } from './opened-folders.ts';

test('folders wait for the services, each is opened once, and its answer is told', async () => {
  const asked: string[] = [];
  const told: (string | null)[] = [];
  const folders = createOpenedFolders(
    async (folder) => {
      asked.push(folder);
      return { project_id: `of ${folder}`, known: false, problem: null };
    },
    ({ project_id }) => told.push(project_id),
  );
  folders.add(['/a', '/b']);
  folders.servicesChanged({ phase: 'starting' });
  expect(asked).toEqual([]);
  folders.servicesChanged({ phase: 'ready' });
  folders.servicesChanged({ phase: 'restarting' });
  folders.add(['/c']);
  await Promise.resolve();
  expect([asked, told]).toEqual([
    ['/a', '/b'],
    ['of /a', 'of /b'],
  ]);
  folders.servicesChanged({ phase: 'ready' });
  await Promise.resolve();
  expect(told).toEqual(['of /a', 'of /b', 'of /c']);
});
