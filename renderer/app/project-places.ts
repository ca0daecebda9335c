import { useEffect, useMemo } from 'react';
import { t } from '../../preload/texts/t.ts';
import { useMe } from '../data/studio.ts';
import { registerHandlers } from './commands.ts';
import { navigateTo } from './navigation.ts';
import { paths } from './paths.ts';

export interface ProjectPlace {
  /** The command that goes there. */
  readonly command: string;
  readonly label: string;
  readonly path: (projectId: string) => string;
  /** There only where people sign in. */
  readonly team?: true;
}

/** The pages of a project: the project's own page links them, the palette reaches them. */
const PROJECT_PLACES: readonly ProjectPlace[] = [
  { command: 'go.find', label: t('Find in all drafts'), path: paths.find },
  { command: 'go.artifacts', label: t('Artifacts'), path: paths.artifacts },
  { command: 'go.environments', label: t('Environments'), path: (id) => paths.environments(id) },
  { command: 'go.gaps', label: t('Gaps'), path: (id) => paths.reviewGaps(id) },
  { command: 'go.freshness', label: t('Freshness'), path: paths.freshness },
  { command: 'go.estate', label: t('Map of the imports'), path: (id) => paths.estate(id) },
  { command: 'go.exposure', label: t('Exposure'), path: paths.exposure },
  { command: 'go.members', label: t('Members'), path: paths.members, team: true },
  { command: 'go.activity', label: t('Activity'), path: paths.activity },
];

/** The pages that a project has here: without sign-in there is nobody to share it with. */
export function useProjectPlaces(): readonly ProjectPlace[] {
  const mode = useMe().data?.auth_mode;
  const isTeam = mode !== undefined && mode !== 'none';
  return useMemo(() => PROJECT_PLACES.filter(({ team }) => team !== true || isTeam), [isTeam]);
}

/** Handles the command of each page while a project is open. */
export function usePlaceCommands(projectId: string | undefined): void {
  const places = useProjectPlaces();
  useEffect(() => {
    if (projectId === undefined) {
      return undefined;
    }
    return registerHandlers(
      places.map(({ command, path }) => ({ command, run: () => navigateTo(path(projectId)) })),
    );
  }, [projectId, places]);
}
