// electron-builder's afterPack hook: takes out what the packager leaves behind.
import { rmSync } from 'node:fs';
import path from 'node:path';

export default function afterPack(context) {
  if (context.electronPlatformName !== 'linux') return;
  rmSync(path.join(context.appOutDir, 'resources/default_app.asar'), { force: true });
}
