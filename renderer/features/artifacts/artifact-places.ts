import { useQuery } from '@tanstack/react-query';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { type CompositionView, getComposition } from '../../../server/contract/studio/govern.ts';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';

/** The address of the line that a place of the composed spec stands at. */
export type Opener = (path: string) => string;

function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}

/** The number of the overlay that a place comes from; null for the base, and for overrides. */
export function overlayAt(origins: CompositionView['origins'], path: string): number | null {
  const at =
    origins.find((origin) => isInside(path, origin.path)) ??
    origins.find((origin) => isInside(origin.path, path));
  return at?.origin === 'overlay' ? at.overlay : null;
}

/** Leads to lines of an artifact's drafts: of the overlay that a value comes from, else of the base. */
export function useOpener(artifact: AuthoredArtifact): Opener {
  const { id, project_id, base, overlays } = artifact;
  const composition = useQuery({
    ...routeQuery(getComposition, { params: { project_id, artifact_id: id } }),
    staleTime: Infinity,
    enabled: overlays.length > 0,
  });
  const origins = composition.data?.origins ?? [];
  return (path) => {
    const overlay = overlayAt(origins, path);
    const ref = overlay === null ? base.path : (overlays[overlay]?.path ?? base.path);
    return paths.draft(project_id, ref, { path });
  };
}
