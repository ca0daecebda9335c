// The arrow tables of .dependency-cruiser.mjs over all rooms and the folders of some. Also fails when fewer modules were
// seen than there are files: a checker that cannot read its input finds nothing.
// An argument names another tree with the same rooms.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import settings, { ARROWS, backArrows, FOLDER_ARROWS, inFolder } from '../.dependency-cruiser.mjs';
import { root } from './toolchain.mjs';

const tree = path.resolve(root, process.argv[2] ?? '.');
process.chdir(tree);

const rooms = ['server', 'main', 'preload', 'renderer'].filter((room) => existsSync(room));

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts')) yield file;
  }
}

const files = rooms.flatMap((room) => [...sources(room)]);
const { output } = await cruise(rooms, {
  ...settings.options,
  ruleSet: { forbidden: settings.forbidden },
  validate: true,
});
const { modules, summary } = output;
const problems = summary.violations.map(
  ({ rule, from, to }) => `${rule.name}: ${from} -> ${to}\n    ${commentOf(rule.name)}`,
);

function commentOf(name) {
  return settings.forbidden.find((rule) => rule.name === name)?.comment ?? '';
}

const seen = new Set(modules.map((module) => module.source));
const unseen = files.filter((file) => !seen.has(file));
if (unseen.length > 0)
  problems.push(
    `too few modules: ${unseen.length} of ${files.length} not read, first ${unseen[0]}`,
  );

const homeless = files.filter(
  (file) => !Object.keys(ARROWS).some((room) => file.startsWith(`${room}/`)),
);
for (const file of homeless) problems.push(`no room: ${file} belongs to none of the arrow table`);

for (const [room, folders] of Object.entries(FOLDER_ARROWS)) {
  for (const arrow of backArrows(folders)) problems.push(`not one way: ${room}: ${arrow}`);
  const homes = Object.keys(folders).map((name) => new RegExp(`^${inFolder(room, name)}`));
  const loose = files.filter(
    (file) => file.startsWith(`${room}/`) && !homes.some((home) => home.test(file)),
  );
  for (const file of loose) problems.push(`no folder: ${file} belongs to none of ${room}'s table`);
}

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${seen.size} modules, ${problems.length} problems\n`);
process.exit(problems.length === 0 ? 0 : 1);
