// Images for tests of containers. What the engine has under the name of the compose file is taken; for the
// rest a Debian of this machine's archive is made into an image that does the same.
import { copyFileSync, cpSync } from 'node:fs';
import path from 'node:path';
import { type Engine, runTool } from './container-engine.ts';
import { bareDebian } from './debian-root.ts';
import { scratchFolder } from './scratch-folder.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const FIXTURES = path.join(root, 'test/fixtures/containers');
const DEBIAN = 'specwright-test/debian';

/** Whether the engine has an image. */
export function hasImage(engine: Engine, name: string): boolean {
  try {
    engine.run('image', 'inspect', name);
    return true;
  } catch {
    return false;
  }
}

function makeDebian(engine: Engine): void {
  const folder = scratchFolder();
  const archive = path.join(folder.path, 'debian.tar');
  const outside = ['./proc/*', './sys/*', './dev/*'].map((name) => `--exclude=${name}`);
  runTool(['tar', ...outside, '-C', bareDebian(), '-cf', archive, '.']);
  // Where this machine asks for names; what is built asks there too.
  engine.run('import', archive, DEBIAN);
  folder.remove();
}

/** The image of a name, or what stands in for it: one of the folders of test/fixtures/containers. */
export function imageOf(
  engine: Engine,
  name: string,
  standIn: 'node' | 'postgres' | 'caddy',
): string {
  if (hasImage(engine, name)) return name;
  const own = `specwright-test/${standIn}`;
  if (hasImage(engine, own)) return own;
  if (!hasImage(engine, DEBIAN)) makeDebian(engine);
  const context = scratchFolder();
  cpSync(path.join(FIXTURES, standIn), context.path, { recursive: true });
  if (standIn === 'node')
    copyFileSync(path.join(root, 'node_modules/.bin/node'), path.join(context.path, 'node'));
  const file = path.join(context.path, 'Containerfile');
  engine.run('build', '-q', '--network', 'host', '-f', file, '-t', own, context.path);
  context.remove();
  return own;
}
