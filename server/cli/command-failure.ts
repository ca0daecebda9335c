/** A command that cannot do what it was asked; printed as `✗ <message>`, exit 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
