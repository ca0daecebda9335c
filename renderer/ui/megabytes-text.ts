import { t } from '../../preload/texts/t.ts';

/** Bytes for people, as disks are sold; `digits` behind the point of fewer than ten megabytes. */
export function megabytesText(bytes: number, digits = 1): string {
  return t('{value} MB', { value: (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? digits : 0) });
}
