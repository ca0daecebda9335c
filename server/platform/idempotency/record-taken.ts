/** Another service on the same store answered this key in the meantime; nothing of ours is stored. */
export class RecordTaken extends Error {
  override readonly name = 'RecordTaken';
}
