import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';

/** The licences of everything that the program holds, read when they are asked for. */
export function Licences() {
  const [shown, setShown] = useState(false);
  const notices = useQuery({
    queryKey: ['third-party-notices'],
    queryFn: async () => (await import('../../../resources/third-party-notices.txt?raw')).default,
    enabled: shown,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={shown}
        loading={notices.isLoading}
        onClick={() => setShown(!shown)}
      >
        {shown ? t('Hide third-party notices') : t('Show third-party notices')}
      </Button>
      {shown && notices.isError && (
        <p role="alert">
          {t('The notices could not be read. They stand in third-party-notices.txt.')}
        </p>
      )}
      {shown && notices.data !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
        <section className="sw-notices" aria-label={t('Third-party notices')} tabIndex={0}>
          <pre>{notices.data}</pre>
        </section>
      )}
    </>
  );
}
