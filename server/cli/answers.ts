import { z } from 'zod';
import { openObject } from '../contract/platform/fields.ts';
import { getRun } from '../contract/platform/runs.ts';
import { toldReader } from '../contract/told.ts';
import { required } from '../platform-client/answers.ts';

// The parts of the platform's answers that are shown to people; `--json` prints answers whole, as
// they came. Unknown fields and absent optional ones never fail a command.

/** Reads what a policy report leaves open. */
export const readReport = toldReader(
  z.object({
    summary: openObject,
    human_review: z.object({ required: z.boolean(), missing: z.boolean() }),
  }),
);

const readState = toldReader(getRun.responses[200]);

/** A run, as its own routes and those that start one answer it. @throws PlatformError `protocol`. */
export function readRunAnswer(answer: object) {
  const run = readState(answer);
  const { run_id, status } = run;
  return { ...run, run_id: required(run_id, 'run_id'), status: required(status, 'status') };
}

/** A run as a command reads it. */
export type RunAnswer = ReturnType<typeof readRunAnswer>;
