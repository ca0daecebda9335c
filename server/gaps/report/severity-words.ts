/** What a person reads for the severity of a gap, the same everywhere. */
export const SEVERITY_WORDS = {
  blocking: 'blocking',
  manual: 'to review',
  info: 'for information',
} as const;
