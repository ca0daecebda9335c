import { t } from '../../../preload/texts/t.ts';
import './logs.css';
import { ActionIcon, Button, Switch, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { DesktopApi, LogLine } from '../../../preload/desktop-api.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { copyText } from '../../ui/copy-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FacetChips } from '../../ui/facet-chips.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { LogList } from './log-list.tsx';
import { copiedLine, filterLines, LEVELS, type LogFilter, SOURCES } from './log-model.ts';
import { useLog } from './use-log.ts';

const NO_FILTER: LogFilter = { text: '', levels: [], sources: [] };
/** While a filter leaves fewer, earlier pages are looked through. */
const ENOUGH = 200;

/** What shell and services noted, newest last. */
export function LogsPage() {
  const api = desktopApi();
  return api === undefined ? (
    <Page title={t('Logs')} testId="logs-page">
      <EmptyState title={t('A browser has no logs of the program')}>
        {t(
          'They stand in the folder “logs” of the data folder, on the computer where the services run.',
        )}
      </EmptyState>
    </Page>
  ) : (
    <Logs api={api} />
  );
}

function Logs({ api }: { readonly api: DesktopApi }) {
  const [filter, setFilter] = useState(NO_FILTER);
  const [follow, setFollow] = useState(true);
  const [chosen, setChosen] = useState<number | null>(null);
  const { view, error, isReading, readEarlier, readAgain } = useLog(api, follow);
  const lines = useMemo(() => filterLines(view?.lines ?? [], filter), [view, filter]);
  const isFiltered = filter !== NO_FILTER;
  const hasEarlier = view !== undefined && view.earlier !== null;
  const failed = error !== undefined;
  useEffect(() => {
    if (isFiltered && hasEarlier && !isReading && !failed && lines.length < ENOUGH) {
      readEarlier();
    }
  }, [isFiltered, hasEarlier, isReading, failed, lines.length, readEarlier]);
  const change = (part: Partial<LogFilter>) => setFilter((before) => ({ ...before, ...part }));
  const line = lines.find(({ at }) => at === chosen);
  return (
    <Page
      title={t('Logs')}
      sub={t(
        'What the shell and the services noted on this computer, newest last. Secrets are masked.',
      )}
      flush
      testId="logs-page"
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            disabled={lines.length === 0}
            onClick={() =>
              copyText(
                lines.map(copiedLine).join('\n'),
                t('{count, plural, one {# line} other {# lines}}', { count: lines.length }),
              )
            }
            data-testid="logs-copy"
          >
            {t('Copy shown lines')}
          </Button>
          <Button size="xs" variant="default" onClick={() => void api.showLogs()}>
            {t('Open folder')}
          </Button>
        </>
      }
    >
      <div className="sw-logs">
        <div className="sw-log-tools">
          <TextInput
            size="xs"
            aria-label={t('Filter by text')}
            placeholder={t('Filter by text')}
            value={filter.text}
            onChange={({ currentTarget }) => change({ text: currentTarget.value })}
            data-testid="logs-text"
          />
          <FacetChips
            label={t('Level')}
            facets={LEVELS}
            selected={filter.levels}
            onChange={(levels) => change({ levels })}
          />
          <FacetChips
            label={t('Source')}
            facets={SOURCES}
            selected={filter.sources}
            onChange={(sources) => change({ sources })}
          />
          <Switch
            size="xs"
            label={t('Follow')}
            checked={follow}
            onChange={({ currentTarget }) => setFollow(currentTarget.checked)}
            data-testid="logs-follow"
          />
          {hasEarlier && (
            <Button size="compact-xs" variant="default" loading={isReading} onClick={readEarlier}>
              {t('Earlier lines')}
            </Button>
          )}
          <span className="sw-faint" role="status" data-testid="logs-count">
            {t('{count, plural, one {# line} other {# lines}}', { count: lines.length })}
            {hasEarlier ? t(' of those that were read') : ''}
          </span>
        </div>
        {failed && <ErrorState compact error={error} onRetry={readAgain} />}
        {view === undefined && !failed && <ListSkeleton rows={12} />}
        {view !== undefined && lines.length === 0 && (
          <EmptyState
            compact
            title={isFiltered ? t('Nothing matches these filters') : t('Nothing was noted yet')}
            actions={
              isFiltered && (
                <Button size="xs" variant="default" onClick={() => setFilter(NO_FILTER)}>
                  {t('Show all lines')}
                </Button>
              )
            }
          />
        )}
        {lines.length > 0 && (
          <LogList
            lines={lines}
            follow={follow}
            onLeave={() => setFollow(false)}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
        {line !== undefined && <LineDetails line={line} onClose={() => setChosen(null)} />}
      </div>
    </Page>
  );
}

function fieldsOf(fields: string): string {
  try {
    return JSON.stringify(JSON.parse(fields), null, 2);
  } catch {
    return fields;
  }
}

function LineDetails(props: { readonly line: LogLine; readonly onClose: () => void }) {
  const { line, onClose } = props;
  return (
    <section className="sw-log-details" aria-label={t('Chosen line')} data-testid="log-details">
      <div className="sw-log-details-head">
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => copyText(copiedLine(line), t('The line'))}
        >
          {t('Copy line')}
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t('Close')}
          onClick={onClose}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <pre tabIndex={0}>{[line.text, fieldsOf(line.fields)].join('\n').trim()}</pre>
    </section>
  );
}
