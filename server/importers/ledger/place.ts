const PLAIN = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
const MOST_KEPT = 2000;
const LONGEST_SHOWN = 1000;
const kept = new Map<string, string>();

function named(key: string): string {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const text = PLAIN.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  if (kept.size < MOST_KEPT) kept.set(key, text);
  return text;
}

/** A place in a document, linked from its end to the root, so that a deep one costs no copy. */
export class Place {
  readonly parent: Place | null;
  readonly key: string | number;
  /** About how long its text is. */
  readonly size: number;
  /** True in a draft, whose places are written as findings write them: names as they are. */
  private readonly isRaw: boolean;
  private written: string | undefined;

  constructor(parent: Place | null, key: string | number) {
    this.parent = parent;
    this.key = key;
    this.isRaw = parent === null ? key === '' : parent.isRaw;
    this.size = (parent?.size ?? 0) + (typeof key === 'string' ? key.length + 1 : 3);
  }

  below(key: string | number): Place {
    return new Place(this, key);
  }

  /** The place that a path of keys leads to from here. */
  at(keys: readonly (string | number)[]): Place {
    let place: Place = this;
    for (const key of keys) place = new Place(place, key);
    return place;
  }

  /** Dots before plain names, `[0]` for items; in a source other names quoted in brackets. */
  get text(): string {
    if (this.written === undefined) this.written = this.write();
    return this.written;
  }

  /** {@link text}, without that of a place above. */
  textBelow(above: Place): string {
    const text = this.text.slice(above.text.length);
    return text.startsWith('.') ? text.slice(1) : text;
  }

  /** The place itself, or the nearest one above whose text is not too long to be shown. */
  get shown(): Place {
    let place: Place = this;
    while (place.size > LONGEST_SHOWN && place.parent !== null) place = place.parent;
    return place;
  }

  private write(): string {
    const { parent, key, isRaw } = this;
    if (parent === null) return String(key);
    if (typeof key === 'number') return `${parent.text}[${key}]`;
    if (!isRaw) return parent.text + named(key);
    return parent.text === '' ? key : `${parent.text}.${key}`;
  }
}

/** The root of a source document. */
export const SOURCE: Place = new Place(null, '$');
/** The root of a draft. */
export const DRAFT: Place = new Place(null, '');
