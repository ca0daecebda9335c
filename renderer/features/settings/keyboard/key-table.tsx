import '../../../ui/plain-table.css';
import './key-settings.css';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { Badge } from '../../../ui/status-badge.tsx';

/** A table of what keys do, one `KeyRow` each. */
export function KeyTable(props: {
  /** Its name where a heading does not say it. */
  readonly label?: string;
  readonly what: string;
  readonly keys: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="sw-key-box">
      <table className="sw-plain-table sw-key-table" aria-label={props.label}>
        <thead>
          <tr>
            <th scope="col">{props.what}</th>
            <th scope="col">{props.keys}</th>
            <th scope="col">
              <span className="sw-visually-hidden">{t('Change')}</span>
            </th>
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

/** What keys do, the keys as people read them, and the ways to change them. */
export function KeyRow(props: {
  readonly testId: string;
  readonly title: string;
  readonly where: string;
  readonly keys: readonly string[];
  readonly isChanged: boolean;
  readonly onReset: () => void;
  readonly onRecord: () => void;
}) {
  const { title, keys, isChanged } = props;
  return (
    <tr data-testid={props.testId}>
      <th scope="row">
        {title}
        <span className="sw-key-where">{props.where}</span>
      </th>
      <td>
        {keys.length === 0 && <span className="sw-faint">{t('none')}</span>}
        {keys.map((one) => (
          <kbd key={one} className="sw-kbd">
            {one}
          </kbd>
        ))}{' '}
        {isChanged && <Badge>{t('changed')}</Badge>}
      </td>
      <td data-align="right">
        {isChanged && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={t('Reset the keys of {title}', { title })}
            onClick={props.onReset}
          >
            {t('Reset')}
          </Button>
        )}{' '}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('Change the keys of {title}', { title })}
          onClick={props.onRecord}
        >
          {t('Change…')}
        </Button>
      </td>
    </tr>
  );
}
