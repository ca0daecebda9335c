import { systemCode } from '../kernel/system-code.ts';

type OnError = (error: Error) => void;

const endsCommand: OnError = (error) => {
  if (systemCode(error) === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
};
const isIgnored: OnError = () => undefined;

/** A reader of a command's result that goes away early, such as `head`, ends it and is no failure. */
export function endWithReader(): void {
  process.stdout.on('error', endsCommand);
  process.stderr.on('error', isIgnored);
}

/** A service goes on when nobody reads what it says: a closed pipe or terminal never ends it. */
export function outliveReaders(): void {
  process.stdout.off('error', endsCommand);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', isIgnored);
}
