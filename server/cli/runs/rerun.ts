import { rerunRun } from '../../contract/platform/client-routes.ts';
import { rerunState } from '../../contract/platform/rerun.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readRunAnswer } from '../answers.ts';
import type { AnswerOptions } from '../connect/choose-connection.ts';
import { withPlatform } from '../connect/open-platform.ts';
import { printJson } from '../output.ts';
import { readMapping } from '../read-mapping.ts';
import { attend, printOutcome } from './run-spec.ts';

export interface RerunOptions extends AnswerOptions {
  readonly fromSequence: string;
  readonly input?: string;
  readonly nextStep?: string;
  readonly edits?: string;
  readonly show?: boolean;
  readonly trust?: boolean;
  readonly follow?: boolean;
}

function editsOf({ edits, input, nextStep }: RerunOptions): JsonObject {
  return {
    ...(edits === undefined ? {} : readMapping(edits)),
    ...(input === undefined ? {} : { input }),
    ...(nextStep === undefined ? {} : { next_step: nextStep }),
  };
}

/** `runs rerun`: a new run from a checkpoint of another, with an edited state if asked. */
export async function rerun(runId: string, options: RerunOptions): Promise<number> {
  const checkpoint_sequence = Number(options.fromSequence);
  const params = { run_id: runId };
  if (options.show) {
    const state = await withPlatform(options, (platform) =>
      platform.ask(rerunState, { params, query: { checkpoint_sequence } }),
    );
    printJson(state);
    return 0;
  }
  const body = { checkpoint_sequence, edits: editsOf(options), async_mode: true };
  return withPlatform(
    options,
    async (platform) => {
      const started = readRunAnswer(await platform.ask(rerunRun, { params, body }));
      const ended = await attend(platform, started.run_id, options);
      return printOutcome(platform, ended, options.json);
    },
    { background: true, trusted: options.trust ?? false },
  );
}
