import type { z } from 'zod';
import { CommandFailure } from './command-failure.ts';

/** An answer as a schema reads it. @throws CommandFailure when it is not of the contract's shape. */
export function readAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new CommandFailure(
    `The platform's answer is not of the agreed shape: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}
