import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { getEstate, type ProjectEstate } from '../../../server/contract/studio/estate.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { routeQuery } from '../../data/query-client.ts';

/** The drafts that run this one and were imported before it: their gap about it is open. */
export function waitingFor({ calls, causes }: ProjectEstate, draftRef: string): readonly string[] {
  const waiting = new Set(
    causes.flatMap(({ kind, files }) => (kind === 'subworkflow' ? files : [])),
  );
  const callers = calls.filter(
    ({ from, to }) => from !== draftRef && to.includes(draftRef) && waiting.has(from),
  );
  return [...new Set(callers.map(({ from }) => from))];
}

/** Says which drafts wait for the one that was imported, and leads to where it is put in. */
export function WaitingCallers(props: { readonly projectId: string; readonly draftRef: string }) {
  const { projectId, draftRef } = props;
  const estate = useQuery(routeQuery(getEstate, { params: { project_id: projectId } }));
  const waiting = estate.data === undefined ? [] : waitingFor(estate.data, draftRef);
  if (waiting.length === 0) return null;
  return (
    <Alert
      color="blue"
      title={t(
        '{count, plural, one {A draft waits for this workflow} other {# drafts wait for this workflow}}',
        { count: waiting.length },
      )}
      mb="md"
      data-testid="waiting-callers"
    >
      {t(
        '{count, plural, one {It was imported before and runs it.} other {They were imported before and run it.}} Open the gap of its call and choose “Fix…” to put this workflow in:',
        { count: waiting.length },
      )}
      <ul>
        {waiting.map((ref) => (
          <li key={ref}>
            <AppLink to={paths.reviewGaps(projectId, { ref })}>{fileName(ref)}</AppLink>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
