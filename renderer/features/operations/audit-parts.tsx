import { Tooltip } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { SaveMenu } from '../../ui/save-menu.tsx';
import { shortRunId } from '../../ui/short-id.ts';
import { type AuditEvent, type AuditLogEntry, auditText } from './audit-model.ts';
import { useUtc } from './audit-rows.ts';

/** Saves all rows of the filter, those too that were not scrolled to. */
export function ExportRows(props: {
  readonly name: string;
  readonly isEmpty: boolean;
  readonly read: () => Promise<readonly AuditEvent[] | readonly AuditLogEntry[]>;
}) {
  const { name, read } = props;
  const [busy, setBusy] = useState(false);
  const save = async (format: 'csv' | 'json'): Promise<void> => {
    const rows = await read();
    const { saved } = await saveTextFile(`${name}.${format}`, await auditText(rows, format));
    if (saved) {
      notifyDone(t('{count, plural, one {# row} other {# rows}} exported', { count: rows.length }));
    }
  };
  return (
    <SaveMenu
      label={t('Export')}
      button={{ size: 'xs', disabled: props.isEmpty, loading: busy }}
      formats={['csv', 'json']}
      about={t('All rows of this filter, up to 10,000; times are UTC')}
      onSave={(format) => {
        setBusy(true);
        save(format)
          .catch((error: unknown) => notifyError(t('Nothing was exported'), error))
          .finally(() => setBusy(false));
      }}
      testId="export-audit"
    />
  );
}

/** What stands where no row fits. */
export function NoRows(props: { readonly filtered: boolean }) {
  return (
    <EmptyState
      icon={<IconHistory size={32} stroke={1.25} />}
      title={props.filtered ? t('Nothing matches') : t('Nothing has happened yet')}
    >
      {props.filtered
        ? t('Ask for something else, or clear the filter.')
        : t('Runs, decisions, policies and what was refused are listed here.')}
    </EmptyState>
  );
}

/** A run by the end of its id. */
export function RunLink(props: { readonly runId: string }) {
  return <AppLink to={paths.run(props.runId)}>{shortRunId(props.runId)}</AppLink>;
}

/** The time of a day whose date stands above; the moment in UTC on hover. */
export function ClockTime({ at }: { readonly at: string }) {
  const utc = useUtc();
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) {
    return <span className="sw-faint">–</span>;
  }
  const date = new Date(moment);
  const told = date.toISOString();
  const text = date.toLocaleTimeString(locale(), utc ? { timeZone: 'UTC' } : {});
  return (
    <Tooltip
      label={t('{told} {told2} UTC', { told: told.slice(0, 10), told2: told.slice(11, 23) })}
    >
      <time dateTime={told}>{text}</time>
    </Tooltip>
  );
}
