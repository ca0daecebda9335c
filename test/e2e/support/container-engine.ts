import { execFileSync, spawnSync } from 'node:child_process';

/** A container tool of this machine. */
export interface Engine {
  readonly name: string;
  /** Words that start its Compose. */
  readonly compose: readonly [string, ...string[]];
  /** Runs it to its end; gives what it printed. @throws with what it said when it fails. */
  run(...words: readonly string[]): string;
  /** Whether a container's own check says that it is well. */
  isHealthy(container: string): boolean;
}

const works = (...[program, ...words]: readonly [string, ...string[]]): boolean =>
  spawnSync(program, words, { timeout: 20_000 }).status === 0;

/** Runs a program to its end; gives what it printed. */
export function runTool(
  [program, ...words]: readonly [string, ...string[]],
  cwd = process.cwd(),
): string {
  // What Compose says of its progress is for a failure only.
  return execFileSync(program, words, { encoding: 'utf8', cwd, stdio: ['ignore', 'pipe', 'pipe'] });
}

function engineOf(name: string, compose: readonly [string, ...string[]]): Engine {
  return {
    name,
    compose,
    run: (...words) => runTool([name, ...words]),
    isHealthy: (container) =>
      // Podman checks at times of its own only where systemd runs.
      name === 'podman'
        ? works(name, 'healthcheck', 'run', container)
        : runTool([name, 'inspect', '-f', '{{.State.Health.Status}}', container]).trim() ===
          'healthy',
  };
}

/** The container tool that answers here with a Compose beside it; undefined when there is none. */
export function findEngine(): Engine | undefined {
  const asked = process.env['SPECWRIGHT_CONTAINERS'];
  const names = asked === 'docker' || asked === 'podman' ? [asked] : ['docker', 'podman'];
  for (const name of names.filter((one) => works(one, 'info'))) {
    const tools: readonly (readonly [string, ...string[]])[] =
      name === 'docker' ? [['docker', 'compose'], ['docker-compose']] : [['podman-compose']];
    const compose = tools.find((tool) => works(...tool, 'version'));
    if (compose !== undefined) return engineOf(name, compose);
  }
  return undefined;
}
