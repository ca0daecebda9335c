/**
 * A service that must not start: wrong configuration, a routable address without keys, a taken
 * port. The message is one line that says what to change and never holds a secret.
 */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}
