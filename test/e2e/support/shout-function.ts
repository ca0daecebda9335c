import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes the function `texts.shout` into the project that holds the draft `shouting.yaml`. */
export function writeShout(folder: string): void {
  const [draft = ''] = globSync('**/.studio/drafts/shouting.yaml', { cwd: folder });
  const functions = path.resolve(folder, draft, '../../..', 'functions');
  mkdirSync(functions, { recursive: true });
  writeFileSync(
    path.join(functions, 'texts.ts'),
    'export const shout = (text: string) => text.toUpperCase();\n',
  );
}
