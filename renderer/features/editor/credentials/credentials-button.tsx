import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { CredentialNeed } from '../../../../server/spec/reports/credential-needs.ts';
import { useCommand } from '../../../app/use-command.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';

/** Opens the credentials of a draft; the button is there for a draft that needs some. */
export function CredentialsButton(props: {
  readonly needs: readonly CredentialNeed[];
  readonly onChanged: () => void;
}) {
  const [open, setOpen] = useState(false);
  useCommand('draft.credentials', () => setOpen(true));
  return (
    <>
      {props.needs.length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconKey size={15} />}
          onClick={() => setOpen(true)}
          data-testid="open-credentials"
        >
          Credentials
        </Button>
      )}
      {open && (
        <CredentialsDialog
          needs={props.needs}
          onClose={() => setOpen(false)}
          onChanged={props.onChanged}
        />
      )}
    </>
  );
}
