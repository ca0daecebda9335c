import type { z } from 'zod';
import { protocolError } from '../platform-client/answers.ts';

/** A reader for answers that people decide by: they are read whole or not at all. */
export function readWhole<S extends z.ZodType>(schema: S, what: string) {
  return (body: object): z.output<S> => {
    const read = schema.safeParse(body);
    if (!read.success) throw protocolError(what);
    return read.data;
  };
}
