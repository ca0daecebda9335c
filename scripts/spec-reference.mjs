// Writes the tables of fields in docs/spec-v1.md from the descriptions that the editor shows. A test
// compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withTables } from '../server/spec/schema/reference-table.ts';

const file = path.join(import.meta.dirname, '../docs/spec-v1.md');
writeFileSync(file, withTables(readFileSync(file, 'utf8')));
process.stdout.write(`${file}\n`);
