import { t } from '../../../preload/texts/t.ts';
import './run-page.css';
import { SegmentedControl } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { CopyCode } from '../../ui/copy-code.tsx';
import { itemsInText } from '../../ui/item-fields.ts';
import { ItemsView } from '../../ui/items-view.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { jsonIn } from '../../ui/readable-text.ts';

const MarkdownView = lazy(async () => {
  const { MarkdownView: view } = await import('../../ui/markdown-view.tsx');
  return { default: view };
});

const LABELS = {
  table: t('Table'),
  json: 'JSON',
  text: t('Text'),
  markdown: t('Markdown'),
} as const;
type ResultView = keyof typeof LABELS;

/** The ways to show a text, the most telling one first; a table shows its JSON itself. */
function viewsOf(hasItems: boolean, hasJson: boolean): readonly ResultView[] {
  const first = hasItems ? 'table' : hasJson ? 'json' : undefined;
  return [...(first === undefined ? [] : ([first] as const)), 'text', 'markdown'];
}

/** What a run gave: a JSON list of objects as a table, as indented JSON, as it came, or as Markdown. */
export function RunResult(props: { readonly text: string; readonly testId?: string }) {
  const { text, testId } = props;
  const items = useMemo(() => itemsInText(text), [text]);
  const json = useMemo(() => jsonIn(text), [text]);
  const views = viewsOf(items !== null, json !== undefined);
  const [asked, setAsked] = useState<ResultView | null>(null);
  const view = asked !== null && views.includes(asked) ? asked : (views[0] ?? 'text');
  if (text === '') {
    return <p className="sw-faint">{t('Empty.')}</p>;
  }
  return (
    <div className="sw-run-result">
      <div className="sw-run-result-tools">
        <SegmentedControl
          size="xs"
          aria-label={t('Show the output as')}
          value={view}
          onChange={(next) => setAsked(views.find((each) => each === next) ?? null)}
          data={views.map((value) => ({ value, label: LABELS[value] }))}
        />
        <CopyCode value={text} shown={t('copy')} label={t('Copy the output')} />
      </div>
      <div data-testid={testId} data-view={view}>
        {view === 'table' && <ItemsView label={t('Output')} items={items ?? []} />}
        {view === 'markdown' && (
          <Suspense fallback={<ListSkeleton rows={3} />}>
            <MarkdownView text={text} />
          </Suspense>
        )}
        {(view === 'json' || view === 'text') && (
          <pre className="sw-text-box sw-run-text">{view === 'json' ? json : text}</pre>
        )}
      </div>
    </div>
  );
}
