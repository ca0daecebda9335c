import { Button } from '@mantine/core';
import { runCommand } from '../../../app/commands.ts';

/** What the preflight of a run finds unbound, with the way to bind it. */
export function MissingBindings(props: {
  readonly findings: readonly { readonly code: string; readonly message: string }[];
}) {
  const unbound = props.findings.filter(({ code }) => code === 'W_CREDENTIAL_UNBOUND');
  return unbound.length === 0 ? null : (
    <section
      className="sw-rehearsal"
      aria-label="Missing bindings"
      data-testid="run-missing-bindings"
    >
      <ul>
        {unbound.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <Button size="compact-sm" variant="default" onClick={() => runCommand('draft.credentials')}>
        Bind…
      </Button>
    </section>
  );
}
