import { forEachItem } from '../each-item.ts';
import { FieldFailure } from '../fields.ts';

/** Steps that read or write files of the machine: no step of a workflow may, and each item says so. */
export const refuseDiskFiles = forEachItem(() => {
  throw new FieldFailure('Access to the file is not allowed.');
});
