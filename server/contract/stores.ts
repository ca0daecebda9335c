import { z } from 'zod';

const schemas = z.object({
  platform: z.int().nonnegative(),
  dashboard: z.int().nonnegative(),
  studio: z.int().nonnegative(),
});
/** The newest migration of each store. */
export type StoreSchemas = z.output<typeof schemas>;

/** The versions of the program that had a data folder, the latest last: `program-versions.json` in it. */
export const programVersions = z.object({
  versions: z.array(z.object({ version: z.string(), started_at: z.string(), schemas })),
});
export type ProgramVersions = z.output<typeof programVersions>;
