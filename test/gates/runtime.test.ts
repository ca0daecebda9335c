import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const file = path.resolve(import.meta.dirname, '../../package.json');
const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(
  readFileSync(file, 'utf8'),
);

test('every platform brings the same Node along, pinned, and it is the one that runs here', () => {
  const versions = Object.entries(optionalDependencies)
    .filter(([name]) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name))
    .map(([, version]) => version);
  expect(versions).toHaveLength(5);
  expect(new Set(versions)).toEqual(new Set([process.versions.node]));
});
