import { SegmentedControl, Textarea } from '@mantine/core';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { listRunOrigins, type RunOrigin } from '../../../server/contract/studio/test-runs.ts';
import { isJsonObject } from '../../../server/kernel/json.ts';
import { emitYaml } from '../../../server/spec/yaml/emit-yaml.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { standingText } from '../../data/draft-texts.ts';
import { routePrefix } from '../../data/query-client.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { rich } from '../../ui/rich.ts';
import { Unread } from '../../ui/unread.tsx';
import type { RunFacts } from './run-facts.ts';

const MASK = '[REDACTED]';

/** The text of the spec to go on with, and what is known of it. */
export interface FixText {
  readonly text: string;
  /** Why it cannot be used; null when it can. */
  readonly problem: string | null;
  /** It is read again, and may be another one in a moment. */
  readonly busy: boolean;
}

interface SourceProps {
  readonly facts: RunFacts;
  /** The draft that the run came from; undefined where it came from none that is known. */
  readonly origin: RunOrigin | undefined;
  /** Where in the spec the failure stands. */
  readonly path: string | null;
  /** The run did not fail: its time was up. */
  readonly timedOut: boolean;
  /** The draft is opened there. */
  readonly onOpen: (origin: RunOrigin) => void;
}

/** Reads the draft as it stands in this window, again whenever the window is looked at. */
function useDraftText(origin: RunOrigin | undefined) {
  return useQuery({
    queryKey: ['standing-text', origin?.project_id, origin?.draft_ref],
    queryFn: () => standingText(origin?.project_id ?? '', origin?.draft_ref ?? '', true),
    enabled: origin !== undefined,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}

function ownTextOf(facts: RunFacts): string {
  return isJsonObject(facts.spec) ? emitYaml(facts.spec) : '';
}

/** Chooses the spec that the runs go on with: the draft as it stands, or the run's own, edited here. */
export function useFixSource(props: SourceProps) {
  const { origin, facts } = props;
  const [asked, setAsked] = useState<'draft' | 'here'>('draft');
  const draft = useDraftText(origin);
  const seeking = useIsFetching({ queryKey: routePrefix(listRunOrigins) }) > 0;
  const before = useMemo(() => ownTextOf(facts), [facts]);
  const [typed, setTyped] = useState<string | null>(null);
  const here = origin === undefined || asked === 'here';
  const own = typed ?? before;
  const masked = here && own.includes(MASK);
  const text: FixText = {
    text: here ? own : (draft.data?.text ?? ''),
    problem: masked
      ? t('{MASK} stands where a secret was: write it again, or take the draft.', { MASK })
      : null,
    // Where the run came from is asked for first: until then its own spec stands here.
    busy: seeking || (!here && draft.isFetching),
  };
  const form = (
    <div className="sw-fix-source">
      {origin !== undefined && (
        <SegmentedControl
          size="xs"
          aria-label={t('The spec to go on with')}
          value={here ? 'here' : 'draft'}
          onChange={(value) => setAsked(value === 'here' ? 'here' : 'draft')}
          data={[
            { value: 'draft', label: t('The draft') },
            { value: 'here', label: t('Edit here') },
          ]}
        />
      )}
      {here ? (
        <EditHere before={before} text={own} onText={setTyped} />
      ) : (
        <FromDraft {...props} origin={origin} draft={draft} />
      )}
    </div>
  );
  return { text, form };
}

function FromDraft(
  props: SourceProps & {
    readonly origin: RunOrigin;
    readonly draft: ReturnType<typeof useDraftText>;
  },
) {
  const { origin, path, draft, timedOut } = props;
  if (draft.data === undefined) {
    return <Unread query={draft} rows={2} compact />;
  }
  const { unsaved, revision } = draft.data;
  const same = revision === origin.draft_revision;
  return (
    <>
      <p>
        {rich('{link}, edit it there, then come back. The input of the run is among its cases.', {
          link: (
            <AppLink
              to={paths.draft(origin.project_id, origin.draft_ref, path === null ? {} : { path })}
              testId="fix-open"
              onClick={() => props.onOpen(origin)}
            >
              {rich('Open {file}{value}', {
                file: fileName(origin.draft_ref),
                value: path !== null && t(' at {path}', { path }),
              })}
            </AppLink>
          ),
        })}
      </p>
      <p className="sw-faint" data-testid="fix-draft-state">
        {unsaved && t('It has changes that are not saved yet; they are taken as they stand.')}
        {!unsaved &&
          same &&
          (timedOut
            ? t('It has not changed since the run: only more time can help.')
            : t('It has not changed since the run: the run would fail again.'))}
        {!unsaved && !same && t('It has changed since the run, and is taken as it is saved.')}
      </p>
    </>
  );
}

function EditHere(props: {
  readonly before: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  const { before, text } = props;
  return (
    <>
      <Textarea
        label={t('Spec')}
        description={t(
          'The spec that the run began with, as YAML; only the run takes what you change here',
        )}
        value={text}
        onChange={(event) => props.onText(event.currentTarget.value)}
        autosize
        minRows={12}
        maxRows={24}
        spellCheck={false}
        classNames={{ input: 'sw-mono' }}
        data-testid="fix-text"
      />
      {text !== before && <DiffView before={before} after={text} label={t('What you changed')} />}
    </>
  );
}
