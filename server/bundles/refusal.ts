/** Why a bundle is not written or not used. */
export type BundleProblem =
  | 'not_a_bundle'
  | 'unsafe_member'
  | 'duplicate_member'
  | 'bundle_too_large'
  | 'manifest_invalid'
  | 'file_missing'
  | 'file_not_listed'
  | 'file_changed'
  | 'signature_invalid'
  | 'signer_unexpected'
  | 'not_signed'
  | 'key_invalid'
  | 'spec_invalid'
  | 'secret_in_file'
  | 'file_unreadable';

/** A bundle that is not written or not used; the message names no place outside of it. */
export class BundleRefusal extends Error {
  override readonly name = 'BundleRefusal';
  readonly code: BundleProblem;

  constructor(code: BundleProblem, message: string) {
    super(message);
    this.code = code;
  }
}
