import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { countText } from '../../ui/count-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { SaveMenu } from '../../ui/save-menu.tsx';
import { shortRunId } from '../../ui/short-id.ts';
import { type AuditEvent, type AuditLogEntry, auditText } from './audit-model.ts';

/** Saves the rows that are read. */
export function ExportRows(props: {
  readonly name: string;
  readonly rows: readonly AuditEvent[] | readonly AuditLogEntry[];
}) {
  const { name, rows } = props;
  const save = async (format: 'csv' | 'json'): Promise<void> => {
    const { saved } = await saveTextFile(`${name}.${format}`, await auditText(rows, format));
    if (saved) {
      notifyDone(`${countText(rows.length, 'row')} exported`);
    }
  };
  return (
    <SaveMenu
      label="Export"
      button={{ size: 'xs', disabled: rows.length === 0 }}
      formats={['csv', 'json']}
      about={`The ${countText(rows.length, 'row')} shown`}
      onSave={(format) => {
        save(format).catch((error: unknown) => notifyError('Nothing was exported', error));
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
      title={props.filtered ? 'Nothing matches' : 'Nothing has happened yet'}
    >
      {props.filtered
        ? 'Ask for something else, or clear the filter.'
        : 'Runs, decisions, policies and what was refused are listed here.'}
    </EmptyState>
  );
}

/** A run by the end of its id. */
export function RunLink(props: { readonly runId: string }) {
  return <AppLink to={paths.run(props.runId)}>{shortRunId(props.runId)}</AppLink>;
}

/** One row in full, below the table. */
export function Details(props: {
  readonly title: string;
  readonly facts: Readonly<Record<string, ReactNode>>;
  readonly body?: string | undefined;
  readonly onClose: () => void;
}) {
  return (
    <section className="sw-operate-detail" aria-label="Details" data-testid="audit-detail">
      <h2 className="sw-section-title">{props.title}</h2>
      <dl className="sw-facts">
        {Object.entries(props.facts).map(([name, value]) => (
          <div key={name} className="sw-operate-fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {props.body !== undefined && <pre className="sw-mono">{props.body}</pre>}
      <Button size="compact-xs" variant="default" mt="sm" onClick={props.onClose}>
        Close
      </Button>
    </section>
  );
}
