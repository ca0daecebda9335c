/** Bounds of a bundle, for who writes it and who reads it. */
export const BUNDLE_LIMITS = {
  files: 2_000,
  fileBytes: 8 * 1_048_576,
  bytes: 64 * 1_048_576,
} as const;
