import { type Command, Option } from 'commander';
import type { ServeOptions } from '../../host/host-settings.ts';
import type { ServeOneOptions } from '../service/serve-one.ts';
import { exitCode, portNumber, withDoor, withJson, withStore } from './common-options.ts';
import { addOperatorWords } from './studio-words.ts';

/** The platform that a service speaks to. */
function withPlatform(command: Command, said: string): Command {
  return command
    .option('--platform-url <url>', said)
    .option('--platform-key <key>', 'its API key (or PLATFORM_API_KEY); other users see it here')
    .option('--platform-key-file <file>', 'file that holds its API key, - for standard input');
}

/** `serve`: all services and the workbench. */
export function addServe(program: Command): void {
  withDoor(
    withPlatform(
      withStore(program.command('serve')),
      'use this platform instead of the embedded one',
    ),
  )
    .description('run all services and serve the workbench to a browser')
    .option('--host <address>', 'address to listen on')
    .option('--gateway-port <port>', 'port of the workbench (0 = any free one)', portNumber)
    .option('--platform-port <port>', 'port of the run platform', portNumber)
    .option('--dashboard-port <port>', 'port of the operations dashboard', portNumber)
    .option('--studio-port <port>', 'port of the authoring studio', portNumber)
    .option('--project <folder>', "tree of the studio's project default")
    .option('--trust', 'trust that tree for this start (see: trust add)')
    .action(async (options: ServeOptions) => {
      const { serve } = await import('../serve.ts');
      await serve(options);
    });
}

/** `link`: a fresh one-time link of the workbench that runs. */
export function addLink(program: Command): void {
  withStore(program.command('link'))
    .description('print a one-time link to the workbench that "serve" runs')
    .action(exitCode(async () => (await import('../service/print-link.ts')).printLink));
}

function withListener(command: Command, port: number): Command {
  return withDoor(
    withStore(
      command
        .option('--host <address>', 'address to listen on (default 127.0.0.1)')
        .option(
          '--port <port>',
          `port to listen on, 0 = any free one (default ${port})`,
          portNumber,
        ),
    ),
  );
}

/** `service …`: the platform alone, and single passes over its store. */
export function addServiceWords(program: Command): void {
  const group = program.command('service').description('the run platform alone');
  withListener(group.command('serve'), 8000)
    .description('run the platform alone and print its address')
    .option('--project <folder>', 'tree that spec paths are looked for in')
    .option('--trust', 'trust that tree for this start (see: trust add)')
    .addOption(
      new Option('--role <role>', 'what this node does where several share a database')
        .choices(['all', 'api', 'worker'])
        .default('all'),
    )
    .option('--reload', 'accepted; spec files are read anew for every request anyway')
    .action(async (options: ServeOneOptions) => {
      const { serveOne } = await import('../service/serve-one.ts');
      await serveOne('platform', options);
    });
  withJson(withStore(group.command('sweep')))
    .description('one pass over leases, deadlines and human tasks of the local store')
    .action(exitCode(async () => (await import('../service/local-pass.ts')).sweep));
  withJson(withStore(group.command('retention')))
    .description('remove what is older than the settings say, from the local store')
    .option('--dry-run', 'only count')
    .action(exitCode(async () => (await import('../service/local-pass.ts')).retention));
}

function addPrune(group: Command): void {
  withJson(withStore(group.command('prune')))
    .description('export old rows of launch history and audit log, then remove them')
    .requiredOption('--older-than-days <n>', 'rows that are older than so many days')
    .requiredOption('--export-dir <folder>', 'where the exports and the receipt go')
    .requiredOption('--by <operator>', 'who answers for it; written into the audit log')
    .addOption(
      new Option('--table <name>', 'what to prune')
        .choices(['audit_log', 'launches', 'all'])
        .default('all'),
    )
    .option('--dry-run', 'only count')
    .option('--vacuum', 'compact the file afterwards')
    .action(exitCode(async () => (await import('../service/dashboard-prune.ts')).prune));
}

function addRecover(group: Command): void {
  withJson(withStore(group.command('recover')))
    .description('lock the dashboard down after a restore, or end that')
    .option('--reason <text>', 'why; kept with the lock')
    .option('--status', 'only say whether it is locked down: exit 3 if so')
    .option('--reconcile', 'end it')
    .option('--access-map <file>', 'JSON {role: [capability]} that holds from then on')
    .option('--connections <file>', 'JSON {environment: {profile, label}} that hold from then on')
    .option('--keep-connections', 'keep the stored connections')
    .action(exitCode(async () => (await import('../service/dashboard-recover.ts')).recover));
}

/** `dashboard …` (contract/dashboard.md 16). */
export function addDashboardWords(program: Command): void {
  const group = program.command('dashboard').description('the operations dashboard alone');
  withPlatform(
    withListener(group.command('serve', { isDefault: true }), 8090),
    'platform that it shows (or PLATFORM_URL)',
  )
    .description('run the dashboard alone and print its address')
    .action(async (options: ServeOneOptions) => {
      const { serveOne } = await import('../service/serve-one.ts');
      await serveOne('dashboard', options);
    });
  addPrune(group);
  addRecover(group);
}

/** `studio …` (studio.md 20). */
export function addStudioWords(program: Command): void {
  const group = program.command('studio').description('the authoring studio alone');
  withPlatform(
    withListener(group.command('serve', { isDefault: true }), 8091),
    'platform of the profile local (or PLATFORM_URL)',
  )
    .description('run the studio alone and print its address')
    .option('--project <folder>', 'tree of the project default')
    .option('--trust', 'trust that tree for this start (see: trust add)')
    .action(async (options: ServeOneOptions) => {
      const { serveOne } = await import('../service/serve-one.ts');
      await serveOne('studio', options);
    });
  addOperatorWords(group);
}
