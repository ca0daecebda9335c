import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** A disk of its own, for faults: it can be filled, and made read-only. */
export interface SmallDisk {
  readonly folder: string;
  remount(how: 'ro' | 'rw'): void;
  remove(): void;
}

/** Makes a small disk, at an empty folder or at one of its own; undefined without the right to mount one. */
export function makeSmallDisk(megabytes: number, at?: string): SmallDisk | undefined {
  const folder = at ?? mkdtempSync(path.join(tmpdir(), 'small-disk-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (!run('/bin/mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)) {
    remove();
    return undefined;
  }
  return {
    folder,
    remount: (how) => void run('/bin/mount', '-o', `remount,${how}`, folder),
    remove() {
      run('/bin/umount', folder);
      remove();
    },
  };
}

/** Whether a small disk can be made here. */
export function canMakeSmallDisk(): boolean {
  const disk = makeSmallDisk(1);
  disk?.remove();
  return disk !== undefined;
}
