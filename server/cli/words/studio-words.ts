import { type Command, Option } from 'commander';
import { addMissing, exitCode, wholeNumber, withJson, withStore } from './common-options.ts';

/** Who changes something at the machine itself. */
function withLabel(command: Command): Command {
  return withJson(withStore(command)).option('--as <label>', 'who does it, for the audit log');
}

function withPrincipal(command: Command): Command {
  return withLabel(
    command
      .requiredOption('--subject <subject>', 'the principal')
      .option('--issuer <issuer>', 'where it signs in, when several have the subject'),
  );
}

function addPrincipalWords(studio: Command): void {
  const group = studio.command('principal').description('people and programs of the studio');
  withJson(withStore(group.command('list')))
    .description('list them')
    .addOption(
      new Option('--state <state>', 'only of this state').choices([
        'pending',
        'active',
        'disabled',
      ]),
    )
    .action(exitCode(async () => (await import('../studio/principals.ts')).list));
  withPrincipal(group.command('approve'))
    .description('let in who signed in for the first time')
    .action(exitCode(async () => (await import('../studio/principals.ts')).approve));
  withPrincipal(group.command('disable'))
    .description('keep a principal out')
    .option('--transfer-to <subject>', 'who gets what only it owned or carried')
    .option('--owner-to <subject>', 'who owns what only it owned')
    .option('--quota-to <subject>', 'who carries what it carried')
    .action(exitCode(async () => (await import('../studio/principals.ts')).disable));
  withPrincipal(group.command('enable'))
    .description('let a disabled principal in again')
    .action(exitCode(async () => (await import('../studio/principals.ts')).enable));
}

function addProjectWords(studio: Command): void {
  const group = studio.command('project').description('projects of the studio');
  withLabel(group.command('attach'))
    .description('make a folder of this machine a project')
    .requiredOption('--path <folder>', 'the folder, inside of STUDIO_ATTACHABLE_ROOTS')
    .requiredOption('--owner <subject>', 'its owner')
    .option('--name <name>', "the project's name (else the folder's)")
    .action(exitCode(async () => (await import('../studio/projects.ts')).attach));
  const reassign = (word: string): Command =>
    withLabel(group.command(word))
      .requiredOption('--project <id>', 'the project')
      .requiredOption('--to <subject>', 'a member of the project');
  reassign('reassign-owner')
    .description('make a member owner')
    .action(exitCode(async () => (await import('../studio/projects.ts')).reassignOwnerOf));
  reassign('reassign-quota')
    .description('let a member carry the storage')
    .action(exitCode(async () => (await import('../studio/projects.ts')).reassignQuotaOf));
}

function addDraftWords(studio: Command): void {
  const group = studio.command('draft').description('drafts of a project');
  withLabel(group.command('register'))
    .description('make a file of the tree a draft; without a digest print it and exit 1')
    .requiredOption('--project <id>', 'the project')
    .requiredOption('--path <ref>', 'the file, as seen from the root of the tree')
    .addOption(
      new Option('--kind <kind>', 'what it holds')
        .choices(['spec', 'overlay', 'skill_source'])
        .default('spec'),
    )
    .addOption(
      new Option('--capabilities <what>', 'what the studio may do with it')
        .choices(['read', 'read_write'])
        .default('read'),
    )
    .option('--exposure-digest <digest>', 'what the tree exposes, as it was shown')
    .action(exitCode(async () => (await import('../studio/projects.ts')).register));
}

function withBinding(command: Command): Command {
  return withLabel(
    command
      .requiredOption('--project <id>', 'the project')
      .requiredOption('--alias <alias>', 'name of the platform in the project')
      .requiredOption('--profile <name>', 'profile that says where it is')
      .option('--platform-environment <name>', 'environment that specs are judged by')
      .addOption(
        new Option('--transport <way>', 'how specs get there').choices([
          'remote',
          'shared_filesystem',
        ]),
      )
      .option('--serv-root <folder>', 'root of a platform that shares the disk'),
  );
}

function addEnvironmentWords(studio: Command): void {
  const group = studio.command('env').description('platforms that a project is bound to');
  withBinding(group.command('add'))
    .description('bind another alias')
    .action(exitCode(async () => (await import('../studio/bindings.ts')).add));
  withBinding(group.command('rotate'))
    .description('give an alias its next generation')
    .action(exitCode(async () => (await import('../studio/bindings.ts')).rotate));
  withBinding(group.command('rebind'))
    .description('bind a project that has no live binding')
    .action(exitCode(async () => (await import('../studio/bindings.ts')).rebind));
  withLabel(group.command('retire'))
    .description('take a generation out of use')
    .requiredOption('--project <id>', 'the project')
    .requiredOption('--alias <alias>', 'the alias')
    .requiredOption('--generation <n>', 'the generation')
    .action(exitCode(async () => (await import('../studio/bindings.ts')).retire));
}

function addAuditWord(studio: Command): void {
  withJson(withStore(studio.command('audit')))
    .description(
      'what happened in the studio, newest first: who, when, what and whether it was let',
    )
    .option('--project <id>', 'only in this project')
    .option('--since <time>', 'only from this day or time on')
    .option('--actor <subject>', 'only what this principal did')
    .addOption(
      new Option('--outcome <outcome>', 'only with this outcome').choices([
        'allowed',
        'denied',
        'held',
      ]),
    )
    .option('--limit <n>', 'how many rows at most', '1000')
    .option('--csv', 'as a table for spreadsheets')
    .action(exitCode(async () => (await import('../studio/audit.ts')).audit));
}

function addQuotaWords(studio: Command): void {
  const group = studio.command('quota').description('how much people may keep');
  withLabel(group.command('set-taint-cap'))
    .description('say how many analyses a project may hold')
    .requiredOption('--project <id>', 'the project')
    .option('--project-cap <n>', 'live ones of the project')
    .option('--per-principal <n>', 'live ones of all projects of who carries it')
    .option('--retained-max <n>', 'live and old ones of the project')
    .action(exitCode(async () => (await import('../studio/projects.ts')).setCap));
}

const KEY_ROTATION = ['prepare', 'cut-over', 'rewrite', 'seal-legacy', 'complete', 'cancel'];

function addKeyWords(studio: Command): void {
  const keys = studio.command('keys').description('keys that analyses are stored under');
  withJson(withStore(keys.command('status')))
    .description('say which keys there are')
    .action(exitCode(async () => (await import('../studio/keys.ts')).status));
  withLabel(keys.command('init'))
    .description('make the first key')
    .action(exitCode(async () => (await import('../studio/keys.ts')).init));
  addMissing(keys, [...KEY_ROTATION, 'resume', 'reauthorize']);
}

function addBootstrapToken(studio: Command): void {
  withLabel(studio.command('bootstrap-token'))
    .description('print a token by which one sign-in takes over what the local owner has')
    .addOption(
      new Option('--ttl <minutes>', 'how long it can be used')
        .default('15')
        .argParser(wholeNumber(1, 1440)),
    )
    .action(exitCode(async () => (await import('../studio/bootstrap-token.ts')).bootstrapToken));
}

/** The words of the operator at the studio's own machine (studio.md 20). */
export function addOperatorWords(studio: Command): void {
  addPrincipalWords(studio);
  addProjectWords(studio);
  addDraftWords(studio);
  addEnvironmentWords(studio);
  addQuotaWords(studio);
  addKeyWords(studio);
  addBootstrapToken(studio);
  addAuditWord(studio);
}
