import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { CredentialNeed } from '../../../../server/spec/reports/credential-needs.ts';
import { history } from '../../../app/navigation.ts';
import { useCommand } from '../../../app/use-command.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';

/** Opens the credentials of a draft; the button is there for a draft that needs some. */
export function CredentialsButton(props: {
  readonly needs: readonly CredentialNeed[];
  /** The secret whose binding is asked for at once; closing that leads back to who asked. */
  readonly asksFor: string | undefined;
  readonly onChanged: () => void;
}) {
  const [open, setOpen] = useState(false);
  const asked = props.needs.find(({ secret }) => secret === props.asksFor);
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
          {t('Credentials')}
        </Button>
      )}
      {asked !== undefined && (
        <CredentialsDialog
          needs={props.needs}
          asked={asked}
          onClose={() => history.back()}
          onChanged={props.onChanged}
        />
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
