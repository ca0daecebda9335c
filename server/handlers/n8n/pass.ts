import type { Handler } from '../handler.ts';

/** Hands its items on. */
export const handlePass: Handler = async ({ inputs }) => [inputs[0] ?? []];
