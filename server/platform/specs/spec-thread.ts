import { worker } from 'workerpool';
import type { EnvironmentPolicy } from '../../contract/platform/policies.ts';
import type { RerunRequest } from '../../engine/rerun.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { SpecFormat } from '../../spec/parse-yaml.ts';
import { type CheckSetting, placesOf } from './check-places.ts';
import { editsOf, type RerunOrigin } from './rerun-work.ts';
import type { Outcome } from './spec-threads.ts';
import {
  FROZEN_READS,
  freezeWithTexts,
  rerunWithTexts,
  SPEC_CHECKS,
  type SpecAnswer,
  skillsBlock,
  verdictsOf,
} from './spec-work.ts';

// Entry of a thread that checks large specs.

/** A refusal as values; what else goes wrong is thrown. */
async function outcomeOf<Value>(work: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, code: error.code, message: error.message, details: error.details ?? {} };
  }
}

worker({
  check: (
    setting: CheckSetting,
    name: keyof typeof SPEC_CHECKS,
    input: string,
  ): Promise<Outcome<SpecAnswer>> =>
    outcomeOf(() => SPEC_CHECKS[name](placesOf(setting), JSON.parse(input))),
  frozen: (name: keyof typeof FROZEN_READS, createdMetadata: string) =>
    outcomeOf(() => FROZEN_READS[name](createdMetadata)),
  freeze: (setting: CheckSetting, body: string) =>
    outcomeOf(() => freezeWithTexts(placesOf(setting), JSON.parse(body))),
  rerun: (setting: CheckSetting, origin: RerunOrigin, request: RerunRequest, own: JsonObject) =>
    outcomeOf(() => rerunWithTexts(placesOf(setting), origin, request, own)),
  edits: (
    setting: CheckSetting,
    origin: RerunOrigin,
    from: Pick<RerunRequest, 'point' | 'setup'>,
  ) => outcomeOf(() => editsOf(placesOf(setting), origin, from)),
  skills: (text: string, format: SpecFormat) => outcomeOf(() => skillsBlock(text, format)),
  verdicts: (createdMetadata: string, before: EnvironmentPolicy | null, after: EnvironmentPolicy) =>
    outcomeOf(() => verdictsOf(createdMetadata, before, after)),
});
