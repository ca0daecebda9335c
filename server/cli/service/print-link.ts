import { z } from 'zod';
import { chooseDataFolder } from '../../host/data-folder.ts';
import { readInstanceKey, readInstanceNote } from '../../host/instance-lock.ts';
import { CommandFailure } from '../command-failure.ts';
import { printLine } from '../output.ts';

const TIMEOUT_MS = 10_000;
const answer = z.object({ url: z.string() });

async function ask(gateway: string, key: string): Promise<string> {
  const response = await fetch(`${gateway}/gateway/sign-in-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const read = answer.safeParse(await response.json());
  if (read.success) return read.data.url;
  throw new CommandFailure(`The workbench at ${gateway} gave no link (${response.status}).`);
}

/**
 * `link`: asks the workbench that runs on the data folder for a fresh one-time link.
 * @throws CommandFailure when none runs there.
 */
export async function printLink(options: { readonly data?: string }): Promise<number> {
  const folder = chooseDataFolder(options.data, process.env);
  const gateway = readInstanceNote(folder)?.gateway ?? undefined;
  const key = readInstanceKey(folder);
  if (gateway === undefined || key === undefined) {
    throw new CommandFailure(
      `No workbench runs on ${folder}. Start one with "specwright serve", or name its folder by --data.`,
    );
  }
  try {
    printLine(await ask(gateway, key));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
      `The workbench at ${gateway} does not answer. Start it again with "specwright serve".`,
    );
  }
  return 0;
}
