import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compressionAsked, packageVersion, settle, sizeOf } from './stage.mjs';

/** As many threads on every machine: xz cuts its blocks by them. */
const COMPRESSION = {
  xz: ['-Zxz', '-z6', '--threads-max=2'],
  gz: ['-Zgzip', '-z1'],
};

function controlFile({ depends, recommends, single }, bytes) {
  const [head = '', ...rest] = (single.description ?? '').split('\n');
  const lines = [
    `Package: ${single.name}`,
    `Version: ${packageVersion(single)}`,
    `Architecture: ${single.architecture}`,
    `Maintainer: ${single.maintainer}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    depends.length > 0 && `Depends: ${depends.join(', ')}`,
    recommends.length > 0 && `Recommends: ${recommends.join(', ')}`,
    `Section: ${single.category ?? 'devel'}`,
    `Priority: ${single['deb-priority'] ?? 'optional'}`,
    single.url && `Homepage: ${single.url}`,
    `Description: ${head.trim() || single.name}`,
    ...rest.map((line) => (line.trim() ? ` ${line.trim()}` : ' .')),
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}

/** Writes the .deb of what lies below `target`. */
export function writeDeb(options, target) {
  const { single } = options;
  const control = path.join(target, 'DEBIAN');
  const text = controlFile(options, sizeOf(target));
  mkdirSync(control);
  writeFileSync(path.join(control, 'control'), text);
  for (const [option, name] of [
    ['after-install', 'postinst'],
    ['after-remove', 'postrm'],
  ]) {
    if (!single[option]) continue;
    copyFileSync(single[option], path.join(control, name));
    chmodSync(path.join(control, name), 0o755);
  }
  settle(control);
  const compression = COMPRESSION[compressionAsked()] ?? COMPRESSION.xz;
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', ...compression, '--build', target, single.package],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}
