#!/usr/bin/env node
import { isModern, modernNodeMessage } from './node-version.ts';

// The native SQLite module ends an older Node without a word, so nothing of it is loaded before.
if (isModern(process.versions)) {
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine(process.argv);
} else {
  process.stderr.write(`${modernNodeMessage(process.version)}\n`);
  process.exitCode = 3;
}
