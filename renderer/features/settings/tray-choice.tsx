import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DesktopApi } from '../../../preload/desktop-api.ts';
import { t } from '../../../preload/texts/t.ts';
import { queryClient } from '../../data/query-client.ts';
import { notifyError } from '../../ui/notify.tsx';

const KEY = ['shell', 'tray'] as const;

/** Whether the program has an icon in the notification area, and goes on without a window. */
export function TrayChoice({ api }: { readonly api: DesktopApi }) {
  const shown = useQuery({ queryKey: KEY, queryFn: () => api.tray() });
  const choose = async (wanted: boolean): Promise<void> => {
    await api.setTray(wanted);
    queryClient.setQueryData(KEY, wanted);
  };
  return (
    <Switch
      mt="sm"
      label={t('Icon in the notification area (tray)')}
      description={t(
        'With it, closing the last window leaves the program and its runs going. The icon, or starting Specwright again, brings the windows back; Quit ends it.',
      )}
      checked={shown.data === true}
      disabled={shown.data === undefined}
      onChange={(event) => {
        choose(event.currentTarget.checked).catch((error: unknown) =>
          notifyError(t('The choice was not kept'), error),
        );
      }}
      data-testid="tray-choice"
    />
  );
}
