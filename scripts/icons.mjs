// node scripts/icons.mjs: makes the icons of every system out of resources/icon.svg, with rsvg-convert
// (Debian: librsvg2-bin). They are committed, so that a build needs no renderer.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './toolchain.mjs';

const SOURCE = path.join(root, 'resources/icon.svg');
const FOLDER = path.join(root, 'resources/icons');

/** What the desktops of Linux look for. */
const LINUX = [16, 24, 32, 48, 64, 128, 256, 512];
const WINDOWS = [16, 24, 32, 48, 64, 128, 256];
/** Kinds of Apple's icon file, with the pixels of each. */
const APPLE = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
];

const rendered = new Map();

function render(pixels) {
  const known = rendered.get(pixels);
  if (known !== undefined) return known;
  const size = ['-w', String(pixels), '-h', String(pixels)];
  const image = execFileSync('rsvg-convert', [...size, SOURCE], { maxBuffer: 16_000_000 });
  rendered.set(pixels, image);
  return image;
}

/** A Windows icon: a directory of six-byte facts, offsets and lengths before the pictures. */
function windowsIcon(sizes) {
  const head = Buffer.alloc(6 + 16 * sizes.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let offset = head.length;
  for (const [index, pixels] of sizes.entries()) {
    const at = 6 + 16 * index;
    // 256 is written as 0.
    head.writeUInt8(pixels % 256, at);
    head.writeUInt8(pixels % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(render(pixels).length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += render(pixels).length;
  }
  return Buffer.concat([head, ...sizes.map(render)]);
}

function chunk(name, body) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

mkdirSync(FOLDER, { recursive: true });
for (const pixels of LINUX)
  writeFileSync(path.join(FOLDER, `${pixels}x${pixels}.png`), render(pixels));
writeFileSync(path.join(root, 'resources/icon.ico'), windowsIcon(WINDOWS));
const pictures = APPLE.map(([name, pixels]) => chunk(name, render(pixels)));
writeFileSync(path.join(root, 'resources/icon.icns'), chunk('icns', Buffer.concat(pictures)));
// A test compares it: a drawing that changed without its icons is noticed.
const stamp = createHash('sha256').update(readFileSync(SOURCE)).digest('hex');
writeFileSync(path.join(FOLDER, 'drawn-from.sha256'), `${stamp}\n`);
