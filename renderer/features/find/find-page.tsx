import { t } from '../../../preload/texts/t.ts';
import './find.css';
import { Checkbox, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { useDrafts } from '../../data/studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { moveFocus } from '../../ui/move-focus.ts';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { type FindQuery, type FoundLine, finderOf } from './find-model.ts';
import { type FoundDraft, useFind } from './use-find.ts';

/** What was looked for last in this window, so that a way back shows it again. */
const queryStore = createStore<FindQuery>({ text: '', pattern: false, exact: false });
const PAUSE_MS = 150;
const NO_REFS: readonly string[] = [];

/** Find in all drafts and overlays of a project, as their texts stand. */
export function FindPage(props: { readonly projectId: string }) {
  const { projectId } = props;
  const query = useStore(queryStore);
  const [settled] = useDebouncedValue(query, PAUSE_MS);
  const finder = useMemo(() => finderOf(settled), [settled]);
  const drafts = useDrafts(projectId);
  const refs = useMemo(() => drafts.data?.map(({ ref }) => ref) ?? NO_REFS, [drafts.data]);
  const problem = typeof finder === 'object' ? finder.problem : null;
  const state = useFind(projectId, refs, typeof finder === 'function' ? finder : undefined);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After the page has given the focus to its heading.
    const frame = requestAnimationFrame(() => field.current?.select());
    return () => cancelAnimationFrame(frame);
  }, []);
  const found = state.found.toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
  const set = (change: Partial<FindQuery>): void =>
    queryStore.set((now) => ({ ...now, ...change }));
  return (
    <Page
      title={t('Find in all drafts')}
      sub={t('Texts as they stand, saved or not')}
      testId="find-page"
    >
      <search className="sw-find-bar">
        <TextInput
          ref={field}
          aria-label={t('Find')}
          placeholder={t('Text or pattern')}
          leftSection={<IconSearch size={15} aria-hidden />}
          value={query.text}
          error={problem}
          onChange={(event) => set({ text: event.currentTarget.value })}
          data-testid="find-text"
        />
        <Checkbox
          size="xs"
          label={t('Pattern')}
          checked={query.pattern}
          onChange={(event) => set({ pattern: event.currentTarget.checked })}
        />
        <Checkbox
          size="xs"
          label={t('Match case')}
          checked={query.exact}
          onChange={(event) => set({ exact: event.currentTarget.checked })}
        />
      </search>
      {drafts.isError && <ErrorState error={drafts.error} onRetry={() => void drafts.refetch()} />}
      {drafts.isPending && <ListSkeleton rows={4} />}
      {typeof finder === 'function' && drafts.data !== undefined && (
        <>
          <p className="sw-find-count" role="status" data-testid="find-count">
            {summary(found, state.looked, refs.length)}
          </p>
          {state.failed.length > 0 && (
            <p className="sw-find-failed">
              {t('Could not be read: {failed}', { failed: state.failed.join(', ') })}
            </p>
          )}
          <nav
            className="sw-find-list"
            aria-label={t('Found lines')}
            onKeyDown={(event) => moveFocus(event, '.sw-find-line')}
          >
            {found.map((draft) => (
              <Found key={draft.ref} projectId={projectId} draft={draft} />
            ))}
          </nav>
        </>
      )}
      {finder === undefined && drafts.data !== undefined && (
        <EmptyState compact title={t('Nothing looked for')}>
          {t(
            'Type a text. Every draft and overlay of the project is searched, and a line opens where it stands.',
          )}
        </EmptyState>
      )}
    </Page>
  );
}

function summary(found: readonly FoundDraft[], looked: number, all: number): string {
  const lines = found.reduce((sum, draft) => sum + draft.lines.length + draft.more, 0);
  const so = looked < all ? t(' ({looked} of {all} searched)', { looked, all }) : '';
  return lines === 0 && looked === all
    ? t('Nothing in {count, plural, one {# draft} other {# drafts}}.', { count: all })
    : t(
        '{lines, plural, one {# line} other {# lines}} in {count, plural, one {# draft} other {# drafts}}{so}',
        { lines, count: found.length, so },
      );
}

function Found(props: { readonly projectId: string; readonly draft: FoundDraft }) {
  const { projectId, draft } = props;
  const { ref } = draft;
  return (
    <section aria-label={ref} data-testid="found-draft">
      <h2>
        <AppLink to={paths.draft(projectId, ref)}>{ref}</AppLink>{' '}
        {draft.unsaved && <Badge tone="info">{t('unsaved')}</Badge>}
        {!draft.whole && <Badge tone="warning">{t('gave up on some lines')}</Badge>}
      </h2>
      {draft.lines.map((line) => (
        <AppLink
          key={line.line}
          className="sw-find-line"
          to={paths.draft(projectId, ref, { line: line.line })}
        >
          <span className="sw-faint">{line.line}</span>
          <code>
            <Marked line={line} />
          </code>
        </AppLink>
      ))}
      {draft.more > 0 && (
        <p className="sw-faint">
          {t('and {count, plural, one {# more line} other {# more lines}}', { count: draft.more })}
        </p>
      )}
    </section>
  );
}

function Marked(props: { readonly line: FoundLine }) {
  const { text, at } = props.line;
  if (at === null) return <>{text}</>;
  return (
    <>
      {text.slice(0, at.start)}
      <mark>{text.slice(at.start, at.end)}</mark>
      {text.slice(at.end)}
    </>
  );
}
