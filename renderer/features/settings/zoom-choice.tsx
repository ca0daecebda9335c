import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ZOOM_SIZES } from '../../../preload/desktop-api.ts';
import { t } from '../../../preload/texts/t.ts';
import { desktopApi } from '../../desktop/bridge.ts';

/** How large the windows draw everything; a browser has its own zoom. */
export function ZoomChoice() {
  const api = desktopApi();
  const [percent, setPercent] = useState(100);
  useEffect(() => {
    void api?.zoom().then(setPercent);
    return api?.onZoom(setPercent);
  }, [api]);
  return (
    <NativeSelect
      aria-label={t('Zoom')}
      value={String(percent)}
      data={ZOOM_SIZES.map((size) => ({ value: String(size), label: t('{size} %', { size }) }))}
      onChange={(event) => void api?.setZoom(Number(event.currentTarget.value))}
      data-testid="zoom"
    />
  );
}
