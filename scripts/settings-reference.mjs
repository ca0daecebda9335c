// Writes docs/settings.md from the declarations of the settings. A test compares the two.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { settingsReference } from '../server/cli/settings-reference.ts';

const file = path.join(import.meta.dirname, '../docs/settings.md');
writeFileSync(file, settingsReference());
process.stdout.write(`${file}\n`);
