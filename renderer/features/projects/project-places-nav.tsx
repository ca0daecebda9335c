import { t } from '../../../preload/texts/t.ts';
import { AppLink } from '../../app/app-link.tsx';
import { useProjectPlaces } from '../../app/project-places.ts';

/** Links to the pages of a project. */
export function ProjectPlacesNav(props: { readonly projectId: string }) {
  return (
    <nav className="sw-places" aria-label={t('Pages of this project')} data-testid="project-places">
      {useProjectPlaces().map(({ command, label, path }) => (
        <AppLink key={command} to={path(props.projectId)}>
          {label}
        </AppLink>
      ))}
    </nav>
  );
}
