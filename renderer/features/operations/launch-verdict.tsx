import { Button } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import type { LaunchVerdict } from '../../../server/contract/dashboard/launch.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { policyWords } from '../../data/policy-words.ts';
import { SERVICE_TEXT } from '../../ui/service-text.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { pills, summaryFacts, type TextPlace } from './launch-model.ts';

/** What a check found, and what it was about. */
export interface Checked {
  readonly verdict: LaunchVerdict;
  readonly summary: Readonly<Record<string, unknown>>;
  /** What was checked, as it was sent. */
  readonly key: string | undefined;
}

type Finding = LaunchVerdict['diagnostics'][number];

interface Places {
  /** The draft that was checked, whose editor is opened at a finding. */
  readonly draft: { readonly project: string; readonly ref: string } | undefined;
  /** Finds places in the text that is shown; undefined where none is. */
  readonly placeOf: ((path: string | undefined) => TextPlace | undefined) | undefined;
  readonly onShow: (place: TextPlace) => void;
}

/** Whether a spec may run, what speaks against it, and what it holds. */
export function LaunchVerdictView(props: Places & { readonly checked: Checked }) {
  const { verdict, summary } = props.checked;
  const facts = summaryFacts(summary);
  return (
    <section className="sw-operate-section" data-testid="launch-verdict">
      <h2 className="sw-section-title">
        {verdict.ready ? t('It may run') : t('It does not run as it is')}
      </h2>
      <p role="status">
        {pills(verdict).map(({ id, ok, yes, no }) => (
          <span key={id}>
            <Badge tone={ok ? 'success' : 'danger'}>{ok ? yes : no}</Badge>{' '}
          </span>
        ))}
      </p>
      {verdict.diagnostics.length > 0 && <Findings {...props} findings={verdict.diagnostics} />}
      {facts.length > 0 && (
        <dl className="sw-facts" data-testid="launch-summary">
          {facts.map(([name, value]) => (
            <div key={name} className="sw-operate-fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Findings(props: Places & { readonly findings: readonly Finding[] }) {
  return (
    <table className="sw-plain-table">
      <thead>
        <tr>
          <th scope="col">{t('Weight')}</th>
          <th scope="col">{t('What')}</th>
          <th scope="col">{t('Where')}</th>
          <th scope="col">{t('Code')}</th>
          <th scope="col">{t('Found by')}</th>
        </tr>
      </thead>
      <tbody>
        {props.findings.map((finding) => {
          const { source, severity, code, message, path = '' } = finding;
          return (
            <tr key={`${source} ${code} ${message} ${path}`} data-testid="launch-finding">
              <td>
                <StatusBadge status={severity} />
              </td>
              <td {...SERVICE_TEXT}>{message}</td>
              <td>
                <Where {...props} path={finding.path} />
              </td>
              <td>
                <span className="sw-mono">{code ?? ''}</span>{' '}
                <span className="sw-faint">{policyWords(code)}</span>
              </td>
              <td>{source}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The place of a finding: of a draft in its editor, of a text in the field above. */
function Where({ draft, placeOf, onShow, path }: Places & { readonly path: string | undefined }) {
  if (path === undefined) {
    return <span className="sw-faint">{t('the whole spec')}</span>;
  }
  const name = <code className="sw-mono">{path}</code>;
  if (draft !== undefined) {
    return (
      <AppLink to={paths.draft(draft.project, draft.ref, { path })} testId="launch-place">
        {name}
      </AppLink>
    );
  }
  const place = placeOf?.(path);
  return (
    <>
      {name}{' '}
      {place !== undefined && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onShow(place)}
          data-testid="launch-place"
        >
          {t('Line {line}', { line: place.line })}
        </Button>
      )}
    </>
  );
}
