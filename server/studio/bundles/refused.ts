import { BundleRefusal } from '../../bundles/refusal.ts';
import { refuse } from '../../contract/studio/errors.ts';

/** Says why a bundle is not written or used, as the studio says things. */
export async function onBundle<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BundleRefusal)) throw error;
    const { code, message } = error;
    throw refuse('bundle_refused', { message, details: { problem: code } });
  }
}
