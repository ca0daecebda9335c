import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LaunchVerdict } from '../../contract/dashboard/launch.ts';
import {
  compileSpec,
  reportSpecPolicy,
  validateSpec,
} from '../../contract/platform/client-routes.ts';
import type { CallOptions, PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import { firstText, objectOf, objectsOf, type Source } from '../read.ts';

type Finding = LaunchVerdict['diagnostics'][number];
type SourceName = Finding['source'];

/** How one of the three calls ended: its answer, or a refusal of the spec that is a verdict. */
type Outcome =
  | { readonly kind: 'answer'; readonly body: Source }
  | { readonly kind: 'invalid' | 'blocked'; readonly diagnostics: unknown };

async function settle(call: Promise<Source>): Promise<Outcome> {
  try {
    return { kind: 'answer', body: await call };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const diagnostics = error.details['diagnostics'] ?? [{ message: error.message }];
    if (error.status === 400 && error.code === 'spec_invalid') {
      return { kind: 'invalid', diagnostics };
    }
    if (error.status === 403 && error.code === 'environment_policy_blocked') {
      return { kind: 'blocked', diagnostics };
    }
    throw error;
  }
}

function toFinding(item: Source, source: SourceName): Finding {
  const code = firstText(item['code']);
  const path = firstText(item['path']);
  return {
    source,
    severity: firstText(item['severity'], item['level']) ?? 'error',
    message: firstText(item['message'], item['detail'], code) ?? '',
    code,
    ...(path === null ? {} : { path }),
  };
}

function findingsOf(outcome: Outcome, source: SourceName): Finding[] {
  if (outcome.kind === 'blocked') {
    return objectsOf(outcome.diagnostics).map((item) => toFinding(item, 'policy'));
  }
  const { body, diagnostics } =
    outcome.kind === 'answer'
      ? { body: outcome.body, diagnostics: undefined }
      : { body: undefined, diagnostics: outcome.diagnostics };
  const nested = objectOf(body?.['report'])['diagnostics'];
  const list = diagnostics ?? body?.['diagnostics'] ?? nested;
  return objectsOf(list).map((item) => toFinding(item, source));
}

/** Of findings that several calls report, those of the first call; each place of them is told once. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const reporters = new Map<string, SourceName>();
  const places = new Set<string>();
  return findings.filter(({ source, code, message, path }) => {
    const key = JSON.stringify([code, message]);
    const place = JSON.stringify([code, message, path]);
    const reporter = reporters.get(key) ?? source;
    const isNew = reporter === source && !places.has(place);
    reporters.set(key, reporter);
    places.add(place);
    return isNew;
  });
}

function flag(outcome: Outcome, name: string, absent: boolean): boolean {
  if (outcome.kind !== 'answer') return false;
  const value = outcome.body[name];
  return value === undefined || value === null ? absent : value === true;
}

function blockingLines(
  flags: Pick<LaunchVerdict, 'valid' | 'compiled' | 'policy_ok'>,
  findings: readonly Finding[],
): string[] {
  const lines: string[] = [];
  if (!flags.valid) lines.push('The spec is not valid.');
  if (!flags.compiled) lines.push('The spec does not compile strictly.');
  if (!flags.policy_ok) lines.push('A policy blocks the spec.');
  const errors = findings.filter((finding) => finding.severity.toLowerCase() === 'error');
  return [...lines, ...errors.map((finding) => `${finding.source}: ${finding.message}`)];
}

/** Asks so many turns of the event loop later: a large spec is written out anew for each call. */
async function inTurn(turns: number, ask: () => Promise<Outcome>): Promise<Outcome> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  return ask();
}

/**
 * Asks the platform for the three verdicts on a spec and joins them. An invalid spec and a policy
 * that blocks it are verdicts; other failures are failures (contract/dashboard.md 12).
 */
export async function deployLaunch(
  platform: PlatformClient,
  body: Source,
  options: CallOptions,
): Promise<LaunchVerdict> {
  const settled = await Promise.allSettled([
    settle(platform.call(validateSpec, { body }, options)),
    inTurn(1, () =>
      settle(platform.call(compileSpec, { body: { ...body, strict: true } }, options)),
    ),
    inTurn(2, () => settle(platform.call(reportSpecPolicy, { body }, options))),
  ]);
  const [validate, compile, policy] = settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  if (validate === undefined || compile === undefined || policy === undefined) {
    throw new TypeError('three calls give three outcomes');
  }
  const blocked = [validate, compile, policy].some((outcome) => outcome.kind === 'blocked');
  const flags = {
    valid: validate.kind === 'blocked' || flag(validate, 'valid', false),
    compiled: !blocked && flag(compile, 'ok', false),
    policy_ok: !blocked && flag(policy, 'valid', true),
  };
  const diagnostics = withoutRepeats([
    ...findingsOf(validate, 'validate'),
    ...findingsOf(compile, 'compile'),
    ...findingsOf(policy, 'policy'),
  ]);
  return {
    ...flags,
    ready: flags.valid && flags.compiled && flags.policy_ok,
    diagnostics,
    blocking: blockingLines(flags, diagnostics),
  };
}
