// Writes docs/handlers-settings.md from the table of settings. A test compares the two.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { settingsPage } from '../server/items/settings/settings-page.ts';

const file = path.join(import.meta.dirname, '../docs/handlers-settings.md');
writeFileSync(file, settingsPage());
process.stdout.write(`${file}\n`);
