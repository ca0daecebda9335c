// A folder that the person in front of the machine chooses becomes a project; never by a request.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  another,
  auditRows,
  freshStudios,
  platform,
  SPEC,
  studio,
} from '../support/studio-world.ts';
import { writeTeamUsers } from '../support/team-server.ts';

freshStudios();

function folderOf(name: string): string {
  const folder = path.join(studio.folder, 'mine', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
const projects = async () => (await studio.call('GET', '/api/projects')).body;

test('AS-018: a folder becomes a project with what is in it, and is found again', async () => {
  const folder = folderOf('desk');
  writeFileSync(path.join(folder, 'a.yaml'), SPEC);
  const opened = await studio.openFolder(folder);
  expect(opened).toEqual({ project_id: expect.any(String), known: false });
  const id = opened.project_id;
  expect((await projects()).find((one: { id: string }) => one.id === id)).toMatchObject({
    name: 'desk',
    role: 'owner',
    storage_kind: 'attached',
    binding_state: 'bound',
  });
  const { body } = await studio.call('GET', `/api/projects/${id}/tree`);
  expect(body.entries).toMatchObject([{ ref: 'a.yaml', spec: true, registered: false }]);
  const row = (await auditRows()).find(({ action }) => action === 'host.attach_project');
  expect(row?.principal_id).toBe('operator');
  symlinkSync(folder, path.join(studio.folder, 'link'));
  for (const way of [folder, `${folder}/`, path.join(studio.folder, 'link')]) {
    expect(await studio.openFolder(way)).toEqual({ project_id: id, known: true });
  }
  expect(await studio.openFolder(realpathSync(studio.root))).toEqual({
    project_id: 'default',
    known: true,
  });
  expect(await projects()).toHaveLength(2);
});

test('folders that overlap, are none, or hold the program itself are refused with the reason', async () => {
  const file = path.join(studio.folder, 'file');
  writeFileSync(file, '');
  const within = path.join(studio.root, 'within');
  mkdirSync(within);
  const refused = [
    [within, 'project_root_overlap'],
    [file, 'no_folder'],
    [path.join(studio.folder, 'no'), 'no_folder'],
    [path.join(studio.folder, 'state'), 'program_folder'],
    [studio.folder, 'program_folder'],
    ['/', 'program_folder'],
  ] as const;
  for (const [folder, code] of refused) {
    await expect(studio.openFolder(folder), folder).rejects.toMatchObject({ code });
  }
  expect(await projects()).toHaveLength(1);
});

test('where people sign in, the window opens no folder', async () => {
  const users = path.join(studio.folder, 'users');
  await writeTeamUsers(users, ['ada']);
  const shared = await another(
    platform.url,
    {},
    {
      STUDIO_AUTH_MODE: 'static',
      STUDIO_USERS_FILE: users,
      STUDIO_DEPLOYMENT_CAP: '1000000',
    },
  );
  await expect(shared.openFolder(folderOf('desk'))).rejects.toMatchObject({
    code: 'people_sign_in',
  });
});
