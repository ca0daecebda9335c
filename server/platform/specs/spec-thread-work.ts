import type { EnvironmentPolicy } from '../../contract/platform/policies.ts';
import type { RerunRequest } from '../../engine/rerun.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { SpecFormat } from '../../spec/yaml/parse-yaml.ts';
import { type CheckSetting, placesOf } from './check-places.ts';
import { makeRecovery, type RecoveryAsked, type RecoveryOrigin } from './recover-work.ts';
import { editsOf, type RerunOrigin } from './rerun-work.ts';
import {
  FROZEN_READS,
  freezeWithTexts,
  rerunWithTexts,
  SPEC_CHECKS,
  type SpecAnswer,
  skillsBlock,
  verdictsOf,
} from './spec-work.ts';

/** What a thread answers: a value, or a refusal of the platform as values. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    };

/** A refusal as values; what else goes wrong is thrown. */
async function outcomeOf<Value>(work: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, code: error.code, message: error.message, details: error.details ?? {} };
  }
}

/** All that a thread for large specs can do, by name. */
export const SPEC_THREAD_WORK = {
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
  recover: (
    setting: CheckSetting,
    origin: RecoveryOrigin,
    spec: JsonObject,
    asked: RecoveryAsked,
  ) => outcomeOf(() => makeRecovery(placesOf(setting), origin, spec, asked)),
  skills: (text: string, format: SpecFormat) => outcomeOf(() => skillsBlock(text, format)),
  verdicts: (createdMetadata: string, before: EnvironmentPolicy | null, after: EnvironmentPolicy) =>
    outcomeOf(() => verdictsOf(createdMetadata, before, after)),
};

export type SpecThreadWork = typeof SPEC_THREAD_WORK;
