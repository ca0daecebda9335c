/** A command that cannot do what it was asked; printed as `✗ <message>`, exit 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Words that were understood but do not go together; printed as `✗ <message>`, exit 2. */
export class UsageFailure extends Error {
  override readonly name = 'UsageFailure';
}

/** A command of the contract that this version does not have; exit 1. */
export function notImplemented(words: string): CommandFailure {
  return new CommandFailure(`not_implemented: "specwright ${words}" is not built yet.`);
}
