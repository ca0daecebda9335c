// Writes docs/cli.md from the command tree. A test compares the two.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createProgram } from '../server/cli/program.ts';
import { referenceOf } from '../server/cli/reference.ts';
import { addCompletionWords } from '../server/cli/words/completion-words.ts';

const program = createProgram('0.0.0');
addCompletionWords(program);
const file = path.join(import.meta.dirname, '../docs/cli.md');
writeFileSync(file, referenceOf(program));
process.stdout.write(`${file}\n`);
