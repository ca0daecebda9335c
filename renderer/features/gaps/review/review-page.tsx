import { t } from '../../../../preload/texts/t.ts';
import { rich } from '../../../ui/rich.ts';
import './review.css';
import { Button, TextInput } from '@mantine/core';
import { IconChecklist, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { AnalysisEntry } from '../../../../server/contract/studio/analysis-entries.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { runCommand } from '../../../app/commands.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { useAnalysisEntries } from '../../../data/studio.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FacetChips } from '../../../ui/facet-chips.tsx';
import { ListSkeleton, Page } from '../../../ui/page.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { AnalysisList, gapsOf } from './analysis-list.tsx';
import { analysesText } from './analysis-words.tsx';
import { NoAnalysis } from './no-analysis.tsx';
import { isReadable, openCount, reviewTarget } from './review-model.ts';

/** Rows that are drawn before somebody asks for more. */
const AT_ONCE = 100;
/** From so many imports on they are searched. */
const SEARCHED_FROM = 8;

export interface ReviewPageProps {
  readonly projectId: string;
  readonly draftRef: string | undefined;
  readonly artifactId: string | undefined;
}

/** All analyses of a draft, of an artifact or of the project; one that can be opened is opened. */
export function ReviewPage(props: ReviewPageProps) {
  const { projectId, draftRef, artifactId } = props;
  const entries = useAnalysisEntries(
    projectId,
    {
      ...(artifactId === undefined ? {} : { artifact_id: artifactId }),
      ...(draftRef === undefined || artifactId !== undefined ? {} : { ref: draftRef }),
    },
    true,
  );
  const ofProject = draftRef === undefined && artifactId === undefined;
  const target = ofProject ? undefined : reviewTarget(entries.data ?? []);
  const leads = target !== undefined && isReadable(target);
  const to = leads ? gapsOf(projectId, target, artifactId) : undefined;
  const settled = entries.isSuccess && !entries.isFetching;
  useEffect(() => {
    if (settled && to !== undefined) {
      navigateTo(to, { replace: true });
    }
  }, [settled, to]);
  return (
    <Page title={t('Gaps')} testId="review-page" sub={<About {...props} entries={entries.data} />}>
      {entries.isSuccess && leads ? (
        <ListSkeleton />
      ) : (
        <>
          <Unread query={entries} />
          {entries.isSuccess && <Found {...props} entries={entries.data} />}
        </>
      )}
    </Page>
  );
}

function About(
  props: ReviewPageProps & { readonly entries: readonly AnalysisEntry[] | undefined },
) {
  const { projectId, draftRef, artifactId, entries } = props;
  if (artifactId !== undefined) {
    return (
      <>
        {rich('Imports that {link} carries', {
          link: (
            <AppLink to={paths.artifact(projectId, artifactId)}>
              {t('artifact {artifactId}', { artifactId: artifactId.slice(0, 8) })}
            </AppLink>
          ),
        })}
      </>
    );
  }
  if (draftRef !== undefined) {
    return (
      <>
        {rich('Imports of {link}', {
          link: <AppLink to={paths.draft(projectId, draftRef)}>{draftRef}</AppLink>,
        })}
      </>
    );
  }
  return <>{entries === undefined ? t('Imports of this project') : analysesText(entries)}</>;
}

function Found(props: ReviewPageProps & { readonly entries: readonly AnalysisEntry[] }) {
  const { projectId, draftRef, artifactId, entries } = props;
  const [filter, setFilter] = useState<readonly string[]>([]);
  const [text, setText] = useState('');
  const [shown, setShown] = useState(AT_ONCE);
  const open = entries.filter((entry) => openCount(entry) > 0);
  const blocking = open.filter(({ open_blocking }) => open_blocking > 0);
  const words = text.trim().toLowerCase();
  const wanted = entries.filter(
    (entry) =>
      entry.ref.toLowerCase().includes(words) &&
      (!filter.includes('open') || openCount(entry) > 0) &&
      (!filter.includes('blocking') || entry.open_blocking > 0),
  );
  if (entries.length === 0 && draftRef !== undefined) {
    return <NoAnalysis projectId={projectId} draftRef={draftRef} />;
  }
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={<IconChecklist size={32} stroke={1.25} />}
        title={artifactId === undefined ? t('Nothing was imported yet') : t('It carries no import')}
        actions={
          artifactId === undefined && (
            <Button size="xs" onClick={() => runCommand('file.import')}>
              {t('Import a workflow')}
            </Button>
          )
        }
      >
        {t('Gaps are what an import could not carry over.')}
      </EmptyState>
    );
  }
  return (
    <>
      <div className="sw-review-filter">
        {entries.length >= SEARCHED_FROM && (
          <TextInput
            size="xs"
            leftSection={<IconSearch size={14} aria-hidden />}
            placeholder={t('Find a draft')}
            aria-label={t('Find a draft')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <FacetChips
          label={t('Which imports')}
          facets={[
            { value: 'open', label: t('With open gaps'), count: open.length },
            { value: 'blocking', label: t('Gaps block export'), count: blocking.length },
          ].filter(
            ({ value, count }) => filter.includes(value) || (count > 0 && count < entries.length),
          )}
          selected={filter}
          onChange={setFilter}
        />
      </div>
      {wanted.length === 0 ? (
        <EmptyState compact title={t('Nothing matches these filters')} />
      ) : (
        <AnalysisList
          projectId={projectId}
          entries={wanted.slice(0, shown)}
          artifactId={artifactId}
        />
      )}
      {wanted.length > shown && (
        <Button size="xs" variant="default" onClick={() => setShown(shown + AT_ONCE)}>
          {t('Show more of {count}', { count: wanted.length })}
        </Button>
      )}
    </>
  );
}
