import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { RepairView } from '../../contract/studio/repairs.ts';
import type { KnownRepair } from '../../gaps/estate/repairs.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { CommandFailure } from '../command-failure.ts';
import { readTextFile } from '../read-text-file.ts';
import { writeFile } from '../write-file.ts';

const FILE = 'repairs.json';
const KeptRepairs = z.strictObject({
  repairs: z.array(RepairView.omit({ made_at: true })),
});

function fileIn(folder: string): string {
  return path.join(folder, FILE);
}

/** The repairs that were made in the drafts of a folder; none where nothing is kept. @throws CommandFailure */
export function readRepairs(folder: string): KnownRepair[] {
  const file = fileIn(folder);
  if (!existsSync(file)) return [];
  try {
    return KeptRepairs.parse(JSON.parse(readTextFile(file))).repairs;
  } catch {
    throw new CommandFailure(`${file} does not hold repairs; mend it or move it away.`);
  }
}

/** A repair that was made: one for each cause that it answered, with the workflows it was made in. */
export type MadeRepair = Omit<KnownRepair, 'id'>;

/** Remembers repairs beside the drafts; the same one in more workflows is one repair. */
export function keepRepairs(folder: string, made: readonly MadeRepair[]): void {
  if (made.length === 0) return;
  const byId = new Map(readRepairs(folder).map((repair) => [repair.id, repair]));
  for (const repair of made) {
    const { cause, fix, values } = repair;
    const id = sha256Hex(canonicalJson({ cause, fix, values })).slice(0, 32);
    const workflows = new Set([...(byId.get(id)?.workflows ?? []), ...repair.workflows]);
    byId.set(id, { ...repair, id, workflows: [...workflows].sort() });
  }
  const text = JSON.stringify({ repairs: [...byId.values()] }, null, 2);
  writeFile(fileIn(folder), `${text}\n`);
}
