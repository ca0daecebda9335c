import type { Command } from 'commander';
import { exitCode, withConnection, withJson } from './common-options.ts';

function collect(code: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), code];
}

function withRules(command: Command): Command {
  return command
    .option('--file <file>', 'the whole policy, YAML or JSON')
    .option('--disable', 'keep the policy without enforcing it')
    .option('--fail-on-warnings', 'refuse specs with warnings')
    .option('--block-code <code>', 'refuse specs with this finding (repeatable)', collect)
    .option('--require-human-review', 'demand an enabled human step')
    .option('--require-tool-permissions', 'demand permissions beside selected tools')
    .option('--deny-unrestricted-tools', 'refuse tools without restrictions')
    .option('--require-guardrails', 'demand a guardrail');
}

/** `policy …`: what environments demand. */
export function addPolicyWords(program: Command): void {
  const group = program.command('policy').description('what an environment demands of its specs');
  withConnection(withJson(group.command('list')))
    .description('list the policies of all environments')
    .action(exitCode(async () => (await import('../policy/policy.ts')).list));
  withConnection(withJson(group.command('get')))
    .description('show the policy of an environment')
    .argument('<environment>', 'environment')
    .action(exitCode(async () => (await import('../policy/policy.ts')).get));
  withRules(withConnection(withJson(group.command('set'))))
    .description('replace the policy of an environment; what is not said is at its default')
    .argument('<environment>', 'environment')
    .action(exitCode(async () => (await import('../policy/policy.ts')).set));
  withRules(withConnection(withJson(group.command('preview'))))
    .description('say what a policy would have blocked; stores nothing')
    .argument('<environment>', 'environment')
    .action(exitCode(async () => (await import('../policy/policy.ts')).preview));
}
