import { Alert } from '@mantine/core';
import { Fragment } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { Refit } from '../../../server/contract/platform/recover.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { toApiError } from '../../data/api-error.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { fitLines, hasStopped, isOver, turnText } from './fix-model.ts';

/** What the check of one run said. */
export interface RunCheck {
  readonly runId: string;
  /** Undefined while it has not answered. */
  readonly fit: Refit | undefined;
  readonly status: string | undefined;
  /** What it gets from the moment it goes on; null = it has no limit. */
  readonly timeoutSeconds: number | null;
  /** A text that it would go on from is masked. */
  readonly masked: boolean;
  readonly error: unknown;
  readonly busy: boolean;
}

/** What becomes of the steps of one run, and why it is refused where it is. */
export function FitFacts(props: { readonly fit: Refit }) {
  const { fit } = props;
  return (
    <>
      {fit.misfits.map(({ code, message }) => (
        <Alert
          key={code}
          color="red"
          mb="sm"
          title={t('The saved state does not fit this spec')}
          data-testid="fix-misfit"
        >
          {message}
        </Alert>
      ))}
      {turnText(fit) !== undefined && <p data-testid="fix-turn">{turnText(fit)}</p>}
      {isOver(fit) && <p>{t('Nothing is left to run: it completes with what it has.')}</p>}
      <dl className="sw-fix-fit" data-testid="fix-fit" data-fits={fit.fits}>
        {fitLines(fit).map(({ label, steps, about, tone }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd data-tone={tone}>
              {steps.map((step) => (
                <code key={step}>{step}</code>
              ))}
              <span className="sw-faint">{about}</span>
            </dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}

/** The checks of several runs, one row each. */
export function FitTable(props: { readonly checks: readonly RunCheck[] }) {
  return (
    <table className="sw-plain-table" data-testid="fix-table">
      <thead>
        <tr>
          <th scope="col">{t('Run')}</th>
          <th scope="col">{t('Goes on')}</th>
          <th scope="col">{t('Runs again')}</th>
          <th scope="col">{t('Stay done')}</th>
          <th scope="col">{t('Still to run')}</th>
        </tr>
      </thead>
      <tbody>
        {props.checks.map((check) => (
          <tr key={check.runId}>
            <td>
              <AppLink to={paths.run(check.runId)}>{shortRunId(check.runId)}</AppLink>
            </td>
            <CheckCells check={check} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CheckCells(props: { readonly check: RunCheck }) {
  const { fit, error, status } = props.check;
  if (error !== null) {
    return <td colSpan={4}>{toApiError(error).message}</td>;
  }
  if (fit === undefined) {
    return (
      <td colSpan={4} className="sw-faint">
        {t('checking…')}
      </td>
    );
  }
  if (!fit.fits) {
    return (
      <>
        <td>
          {status === undefined || hasStopped(status) ? (
            <Badge tone="danger">{t('no')}</Badge>
          ) : (
            <StatusBadge status={status} />
          )}
        </td>
        <td colSpan={3}>{fit.misfits.map(({ message }) => message).join(' ')}</td>
      </>
    );
  }
  return (
    <>
      <td>
        <Badge tone="success">{t('yes')}</Badge>
      </td>
      <td>{fit.again.join(', ')}</td>
      <td>{fit.kept.join(', ')}</td>
      <td>{[...fit.once_more, ...fit.ahead].join(', ')}</td>
    </>
  );
}
