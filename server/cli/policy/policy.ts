import {
  previewEnvironmentPolicy,
  putEnvironmentPolicy,
} from '../../contract/platform/client-routes.ts';
import { getEnvironmentPolicy, listEnvironmentPolicies } from '../../contract/platform/policies.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readerOf, required } from '../../platform-client/answers.ts';
import { UsageFailure } from '../command-failure.ts';
import type { AnswerOptions } from '../connect/choose-connection.ts';
import { withPlatform } from '../connect/open-platform.ts';
import { printFacts, printJson, printLine, shortText } from '../output.ts';
import { readMapping } from '../read-mapping.ts';
import { printTable } from '../table.ts';

function demands(policy: object | null | undefined): string {
  const named = Object.entries(policy ?? {}).filter(
    ([name, value]) => name !== 'enabled' && value !== false && shortText(value) !== '[]',
  );
  return named
    .map(([name, value]) => (value === true ? name : `${name}=${shortText(value)}`))
    .join(' ');
}

/** `policy list`. */
export async function list(options: AnswerOptions): Promise<number> {
  const raw = await withPlatform(options, (platform) => platform.ask(listEnvironmentPolicies));
  if (options.json) {
    printJson(raw);
    return 0;
  }
  const policies = required(readerOf(listEnvironmentPolicies)(raw).policies, 'policies');
  printTable(Object.entries(policies), [
    { head: 'ENVIRONMENT', show: ([name]) => name },
    { head: 'ENABLED', show: ([, policy]) => (policy?.enabled === false ? 'no' : 'yes') },
    { head: 'DEMANDS', show: ([, policy]) => demands(policy) },
  ]);
  return 0;
}

/** `policy get`: an environment without a policy has nothing to show. */
export async function get(environment: string, options: AnswerOptions): Promise<number> {
  const params = { environment };
  const raw = await withPlatform(options, (platform) =>
    platform.ask(getEnvironmentPolicy, { params }),
  );
  if (options.json) printJson(raw);
  else {
    const { policy } = readerOf(getEnvironmentPolicy)(raw);
    if (policy === null || policy === undefined) printLine(`${environment} has no policy`);
    else printFacts(policy);
  }
  return 0;
}

export interface PolicyWords extends AnswerOptions {
  readonly file?: string;
  readonly disable?: boolean;
  readonly failOnWarnings?: boolean;
  readonly blockCode?: readonly string[];
  readonly requireHumanReview?: boolean;
  readonly requireToolPermissions?: boolean;
  readonly denyUnrestrictedTools?: boolean;
  readonly requireGuardrails?: boolean;
}

/** The whole policy that the options describe; an option that is absent has its default. */
function policyOf(words: PolicyWords): JsonObject {
  const said: JsonObject = {};
  if (words.disable) said['enabled'] = false;
  if (words.failOnWarnings) said['fail_on_warnings'] = true;
  if (words.blockCode) said['blocked_diagnostic_codes'] = [...words.blockCode];
  if (words.requireHumanReview) said['require_human_review'] = true;
  if (words.requireToolPermissions) said['require_tool_permissions'] = true;
  if (words.denyUnrestrictedTools) said['deny_unrestricted_tools'] = true;
  if (words.requireGuardrails) said['require_guardrails'] = true;
  if (words.file === undefined) return said;
  if (Object.keys(said).length > 0)
    throw new UsageFailure('Give --file or single rules, not both.');
  return readMapping(words.file);
}

/** `policy set`: replaces the policy of an environment. */
export async function set(environment: string, words: PolicyWords): Promise<number> {
  const body = policyOf(words);
  const params = { environment };
  const raw = await withPlatform(words, (platform) =>
    platform.ask(putEnvironmentPolicy, { params, body }),
  );
  if (words.json) printJson(raw);
  else {
    const { policy } = readerOf(putEnvironmentPolicy)(raw);
    printLine(`✓ ${environment}`);
    printFacts(policy ?? {});
  }
  return 0;
}

/** `policy preview`: what a policy would have blocked; stores nothing. */
export async function preview(environment: string, words: PolicyWords): Promise<number> {
  const body = policyOf(words);
  const params = { environment };
  const raw = await withPlatform(words, (platform) =>
    platform.ask(previewEnvironmentPolicy, { params, body }),
  );
  if (words.json) {
    printJson(raw);
    return 0;
  }
  const answer = readerOf(previewEnvironmentPolicy)(raw);
  for (const [field, change] of Object.entries(required(answer.diff, 'diff'))) {
    printLine(`~ ${field}: ${shortText(change?.from) || 'unset'} → ${shortText(change?.to)}`);
  }
  const newly_blocking = answer.newly_blocking ?? [];
  printLine(
    `${newly_blocking.length} of ${answer.runs_evaluated ?? 0} recent runs would be blocked`,
  );
  for (const id of newly_blocking) printLine(`  ${id}`);
  return 0;
}
