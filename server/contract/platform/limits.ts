/** Request limits of contract/platform.md 10.1 that configuration may change. */
export interface RequestLimits {
  readonly max_body_bytes: number;
  readonly max_input_chars: number;
  readonly max_human_content_chars: number;
  readonly max_inline_spec_bytes: number;
  readonly max_overrides_bytes: number;
  readonly max_metadata_bytes: number;
  readonly max_list_items: number;
  readonly max_path_chars: number;
}

export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  max_body_bytes: 1_048_576,
  max_input_chars: 20_000,
  max_human_content_chars: 20_000,
  max_inline_spec_bytes: 262_144,
  max_overrides_bytes: 65_536,
  max_metadata_bytes: 32_768,
  max_list_items: 100,
  max_path_chars: 4096,
};

export const MAX_IDEMPOTENCY_KEY_CHARS = 256;
export const MAX_ENVIRONMENT_CHARS = 128;
/** Rows that a list can reach (contract/platform.md 1.5). */
export const LIST_WINDOW = 10_000;
