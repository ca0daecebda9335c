/** The keys of a list in the three texts. */
export interface Orders {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** How the order of a list counts: among the keys of one group, or not at all. */
export interface OrderRule {
  readonly counts: boolean;
  groupOf(key: string): string;
}

type Side = 'ours' | 'theirs';

export interface MergedOrder {
  readonly keys: readonly string[];
  /** Both sides put the same things into another order, or other things at the same place. */
  readonly clash: boolean;
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

/** A choice that does not depend on which side is called ours. */
function firstOf(ours: readonly string[], theirs: readonly string[]): Side {
  return ours.join('\n') <= theirs.join('\n') ? 'ours' : 'theirs';
}

class OrderMerge {
  clash = false;
  readonly #orders: Orders;
  readonly #base: ReadonlySet<string>;
  readonly #rule: OrderRule;
  readonly #prefer: Side;

  constructor(orders: Orders, rule: OrderRule, prefer: Side) {
    this.#orders = orders;
    this.#base = new Set(orders.base);
    this.#rule = rule;
    this.#prefer = prefer;
  }

  #undecided(ours: readonly string[], theirs: readonly string[]): Side {
    if (!this.#rule.counts) return firstOf(ours, theirs);
    this.clash = true;
    return this.#prefer;
  }

  /** The order of the keys of one group that both sides have. */
  #group(ours: readonly string[], theirs: readonly string[]): readonly string[] {
    if (same(ours, theirs)) return ours;
    const base = this.#orders.base.filter((key) => ours.includes(key));
    const inBase = (keys: readonly string[]) => keys.filter((key) => base.includes(key));
    if (same(inBase(theirs), base)) return ours;
    if (same(inBase(ours), base)) return theirs;
    return this.#undecided(ours, theirs) === 'ours' ? ours : theirs;
  }

  #common(): readonly string[] {
    const [inOurs, inTheirs] = [new Set(this.#orders.ours), new Set(this.#orders.theirs)];
    const ours = this.#orders.ours.filter((key) => inTheirs.has(key));
    const theirs = this.#orders.theirs.filter((key) => inOurs.has(key));
    if (same(ours, theirs)) return ours;
    const groupOf = (key: string) => this.#rule.groupOf(key);
    const later = Map.groupBy(theirs, groupOf);
    const merged = new Map(
      [...Map.groupBy(ours, groupOf)].map(([group, keys]) => [
        group,
        this.#group(keys, later.get(group) ?? [])[Symbol.iterator](),
      ]),
    );
    return ours.map((key) => merged.get(groupOf(key))?.next().value ?? key);
  }

  #tie(ours: readonly string[], theirs: readonly string[]): readonly string[] {
    if (ours.length === 0 || theirs.length === 0) return [...ours, ...theirs];
    // What stands in the base was kept by a choice; where it stands is no second question.
    const fresh = (keys: readonly string[]) => keys.filter((key) => !this.#base.has(key));
    const groups = new Set(fresh(ours).map((key) => this.#rule.groupOf(key)));
    const meets = fresh(theirs).some((key) => groups.has(this.#rule.groupOf(key)));
    const first = meets ? this.#undecided(ours, theirs) : firstOf(ours, theirs);
    return first === 'ours' ? [...ours, ...theirs] : [...theirs, ...ours];
  }

  keys(): readonly string[] {
    const common = this.#common();
    const known = new Set(common);
    const behind = (side: readonly string[]) => {
      const slots = new Map<string | null, string[]>();
      let at: string | null = null;
      for (const key of side) {
        if (known.has(key)) at = key;
        else slots.set(at, [...(slots.get(at) ?? []), key]);
      }
      return slots;
    };
    const [ours, theirs] = [behind(this.#orders.ours), behind(this.#orders.theirs)];
    return [null, ...common].flatMap((key) => [
      ...(key === null ? [] : [key]),
      ...this.#tie(ours.get(key) ?? [], theirs.get(key) ?? []),
    ]);
  }
}

/**
 * The keys of both sides in one order. What one side moved is moved, what it added stands behind
 * what it stood behind; `prefer` decides where both would have it their way.
 */
export function mergeOrder(orders: Orders, rule: OrderRule, prefer: Side): MergedOrder {
  const merge = new OrderMerge(orders, rule, prefer);
  const keys = merge.keys();
  return { keys, clash: merge.clash };
}
