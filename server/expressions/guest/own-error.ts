/** An error of the source's own, which fails the step. Other errors of an expression are swallowed. */
export class OwnError extends Error {
  override readonly name = 'ExpressionError';
}
