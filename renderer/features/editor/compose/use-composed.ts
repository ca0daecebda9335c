import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DraftRef } from '../../../../server/contract/studio/fields.ts';
import { type ComposeView, composeSpec } from '../../../../server/contract/studio/govern.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { useWorkerAnswer } from '../compare/use-worker-answer.ts';
import { askSpecWorker } from '../spec-client.ts';
import type { RangedDiagnostic } from '../spec-protocol.ts';
import type { ComposedLayers } from './layer-lines.ts';

/** Layers at the revisions that are seen. */
export interface ComposeBody {
  readonly base: DraftRef;
  readonly overlays: readonly DraftRef[];
  readonly overrides: Record<string, unknown>;
}

const TYPING_MS = 250;

/** The composition of layers, read anew when one of them changes; null while it cannot be asked for. */
export function composeQuery(projectId: string, body: ComposeBody | null) {
  const { base, overlays, overrides } = body ?? {
    base: { path: '', revision: '' },
    overlays: [],
    overrides: {},
  };
  return {
    ...routeQuery(composeSpec, {
      params: { project_id: projectId },
      body: { base, overlays: [...overlays], overrides },
    }),
    enabled: body !== null,
  };
}

/** A composition as it is shown: the last one that there was, with what is wrong with it. */
export interface Composed {
  readonly view: ComposeView | undefined;
  /** What is shown is about layers as they were before. */
  readonly outdated: boolean;
  /** A newer one is being read. */
  readonly busy: boolean;
  readonly error: unknown;
  readonly layers: ComposedLayers | undefined;
  readonly findings: readonly RangedDiagnostic[] | undefined;
}

/** The name under which the composed text of a base is looked at. */
function fileOf(base: string): string {
  return `/composed/${base}.yaml`;
}

/** The composition of layers while they are chosen and typed. */
export function useComposed(projectId: string, wanted: ComposeBody | null): Composed {
  const [body] = useDebouncedValue(wanted, TYPING_MS);
  const query = useQuery({
    ...composeQuery(projectId, body),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const view = query.data;
  const read = useReadComposition(view, body?.base.path ?? '');
  const asked = JSON.stringify(wanted) === JSON.stringify(body);
  return {
    ...read,
    view,
    outdated: !asked || wanted === null || query.isPlaceholderData || query.isError,
    busy: wanted !== null && (!asked || query.isFetching),
    error: query.isError && asked ? query.error : undefined,
  };
}

/** Layers of the lines and findings of a composition. */
export function useReadComposition(
  view: Pick<ComposeView, 'text' | 'origins'> | undefined,
  base: string,
): Pick<Composed, 'layers' | 'findings'> {
  const whole = { text: view?.text ?? '', file: fileOf(base) };
  const layers = useWorkerAnswer(JSON.stringify([view?.text, view?.origins]), async () =>
    view === undefined ? undefined : askSpecWorker('layers', { ...whole, origins: view.origins }),
  );
  const analysis = useWorkerAnswer(JSON.stringify(view?.text), async () =>
    view === undefined ? undefined : askSpecWorker('analyse', whole),
  );
  return {
    layers: layers.stale ? undefined : layers.output,
    findings: analysis.stale ? undefined : analysis.output?.diagnostics,
  };
}

/** The overrides with a value of the composed text added; null when they cannot take it. */
export async function withOverride(
  view: ComposeView,
  base: string,
  overrides: string,
  path: ComposedLayers['leaves'][number]['path'],
): Promise<string | null> {
  const whole = { text: view.text, file: fileOf(base) };
  return (await askSpecWorker('add_override', { ...whole, overrides, path })) ?? null;
}
