import { Command, Option } from 'commander';
import type { ServeOptions } from '../host/host-settings.ts';

function addServe(program: Command): void {
  program
    .command('serve')
    .description('run all services and serve the workbench to a browser')
    .option('--data <folder>', 'folder that holds all state')
    .option('--host <address>', 'address to listen on')
    .option('--gateway-port <port>', 'port of the workbench (0 = any free one)')
    .option('--platform-port <port>', 'port of the run platform')
    .option('--dashboard-port <port>', 'port of the operations dashboard')
    .option('--studio-port <port>', 'port of the authoring studio')
    .option('--project <folder>', "tree of the studio's project default")
    .option('--trust', "let that tree's functions run")
    .option('--platform-url <url>', 'use this platform instead of the embedded one')
    .addOption(new Option('--platform-key <key>', 'its API key').env('PLATFORM_API_KEY'))
    .action(async (options: ServeOptions) => {
      const { serve } = await import('./serve.ts');
      await serve(options);
    });
}

/** The commands of decisions 29, each loaded only when it is asked for. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const program = new Command('specwright')
    .description('Author, run and operate agent workflows.')
    .showHelpAfterError();
  addServe(program);
  await program.parseAsync([...words]);
}
