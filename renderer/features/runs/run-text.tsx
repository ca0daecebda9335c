import { t } from '../../../preload/texts/t.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { readableText } from '../../ui/readable-text.ts';

/** A text of a run: JSON indented, the rest as it came, with a copy button. */
export function RunText(props: {
  readonly text: string;
  readonly tone?: 'danger';
  readonly testId?: string;
}) {
  if (props.text === '') {
    return <p className="sw-faint">{t('Empty.')}</p>;
  }
  return (
    <div className="sw-run-text-box">
      <pre className="sw-text-box sw-run-text" data-tone={props.tone} data-testid={props.testId}>
        {readableText(props.text)}
      </pre>
      <CopyCode value={props.text} shown={t('copy')} />
    </div>
  );
}
