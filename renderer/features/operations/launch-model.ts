import type { LaunchVerdict } from '../../../server/contract/dashboard/launch.ts';
import type { JsonObject } from '../../../server/kernel/json.ts';
import { specInText } from '../../data/spec-text.ts';

/** What is launched: a pasted or opened spec, or a file that the platform reads itself. */
export interface LaunchSource {
  readonly kind: 'text' | 'path';
  readonly text: string;
  readonly path: string;
}

export const NO_SOURCE: LaunchSource = { kind: 'text', text: '', path: '' };

/** The body of a launch call, or why there is none yet; `undefined` says nothing at all. */
export type SpecBody =
  | { readonly body: { readonly spec: JsonObject } | { readonly spec_path: string } }
  | { readonly problem: string | undefined };

/** Reads what was typed, as YAML or JSON. */
export function specBody({ kind, text, path }: LaunchSource): SpecBody {
  if (kind === 'path') {
    return path.trim() === '' ? { problem: undefined } : { body: { spec_path: path.trim() } };
  }
  const read = specInText(text);
  return 'spec' in read ? { body: read } : read;
}

/** The three questions that a deploy answers, in words. */
export function pills(verdict: LaunchVerdict) {
  return [
    { id: 'valid', ok: verdict.valid, yes: 'Valid', no: 'Not valid' },
    { id: 'compiled', ok: verdict.compiled, yes: 'Compiles', no: 'Does not compile' },
    { id: 'policy', ok: verdict.policy_ok, yes: 'Policy allows it', no: 'Policy blocks it' },
  ] as const;
}

/** The facts of a summary that have one value, in the order in which they are told. */
export function summaryFacts(
  summary: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  return Object.entries(summary).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
      ? [[name.replaceAll('_', ' '), String(value)] as const]
      : [],
  );
}
