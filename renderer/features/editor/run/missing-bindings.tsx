import { Button } from '@mantine/core';
import { t } from '../../../../preload/texts/t.ts';
import { isAt } from '../../../../server/spec/reports/replaceable-parts.ts';
import { runCommand } from '../../../app/commands.ts';
import type { RehearsalSession } from './use-rehearsal.ts';

/** What the preflight of a run finds unbound and nothing answers for, with the way to bind it. */
export function MissingBindings(props: {
  readonly findings: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: string | null;
  }[];
  readonly session: Pick<RehearsalSession, 'on' | 'needs' | 'draftOf'>;
}) {
  const { on, needs, draftOf } = props.session;
  const answered = needs.filter((need) => on && draftOf(need).choice !== 'run');
  const unbound = props.findings.filter(
    ({ code, path }) =>
      code === 'W_CREDENTIAL_UNBOUND' &&
      !answered.some(({ part }) => path !== null && isAt(path, part.places)),
  );
  return unbound.length === 0 ? null : (
    <section
      className="sw-rehearsal"
      aria-label={t('Missing bindings')}
      data-testid="run-missing-bindings"
    >
      <ul>
        {unbound.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <Button size="compact-sm" variant="default" onClick={() => runCommand('draft.credentials')}>
        {t('Bind…')}
      </Button>
    </section>
  );
}
