/** Why an update was not taken. `refused` ones speak of something wrong with it, the others may pass. */
export type UpdateProblemCode =
  | 'unreachable'
  | 'no_feed'
  | 'redirected'
  | 'feed_broken'
  | 'feed_unsigned'
  | 'signature_wrong'
  | 'feed_foreign'
  | 'feed_stale'
  | 'version_older'
  | 'file_absent'
  | 'file_wrong'
  | 'file_too_large'
  | 'package_broken'
  | 'disk_full'
  | 'not_installed'
  | 'not_gone_back';

const PASSING: ReadonlySet<UpdateProblemCode> = new Set([
  'unreachable',
  'no_feed',
  'disk_full',
  'not_installed',
  'not_gone_back',
]);

/** What stopped an update, in words for a person: no address, path or stack. */
export class UpdateProblem extends Error {
  override readonly name = 'UpdateProblem';
  readonly code: UpdateProblemCode;

  constructor(code: UpdateProblemCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }

  /** True when the update itself is wrong: trying again does not help. */
  get isRefusal(): boolean {
    return !PASSING.has(this.code);
  }
}
