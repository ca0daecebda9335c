import { useEffect } from 'react';
import { registerHandler } from './commands.ts';
import { navigateTo } from './navigation.ts';
import { paths } from './paths.ts';

export interface ProjectPlace {
  /** The command that goes there. */
  readonly command: string;
  readonly label: string;
  readonly path: (projectId: string) => string;
}

/** The pages of a project: the project's own page links them, the palette reaches them. */
export const PROJECT_PLACES: readonly ProjectPlace[] = [
  { command: 'go.artifacts', label: 'Artifacts', path: paths.artifacts },
  { command: 'go.environments', label: 'Environments', path: (id) => paths.environments(id) },
  { command: 'go.estate', label: 'Map of the imports', path: (id) => paths.estate(id) },
];

/** Handles the command of each page while a project is open. */
export function usePlaceCommands(projectId: string | undefined): void {
  useEffect(() => {
    if (projectId === undefined) {
      return undefined;
    }
    const stops = PROJECT_PLACES.map(({ command, path }) =>
      registerHandler(command, () => navigateTo(path(projectId))),
    );
    return () => {
      for (const stop of stops) {
        stop();
      }
    };
  }, [projectId]);
}
