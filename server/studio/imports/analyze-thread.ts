import v8 from 'node:v8';
import { worker, workerEmit } from 'workerpool';
import type { AnalyzeInput } from '../../importers/analysis.ts';
import {
  convertTogether,
  type EarlierDraft,
  type KeptText,
  type RefusedSource,
  type RelatedSource,
} from './analyze-together.ts';

const WORK = {
  /** Hands the draft over once it stands and answers what is kept of it, or answers the refusal alone. */
  convert(
    input: AnalyzeInput,
    related: readonly RelatedSource[],
    drafts: readonly EarlierDraft[],
  ): KeptText | RefusedSource {
    const made = convertTogether(input, related, drafts);
    if ('refusal' in made) return made.refusal;
    workerEmit(made.draft);
    return made.kept();
  },
};

/** All that an import thread can do, by name. */
export type AnalysisWork = typeof WORK;

// Entry of an import thread. What lives as long as one import is what V8 takes for long-lived: it
// would make it where only whole collections look, and keep all that hangs on it until the next one.
// That costs half as much as the import itself. The flag is that of the whole process.
v8.setFlagsFromString('--no-allocation-site-pretenuring');
worker(WORK);
