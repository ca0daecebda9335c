import type { Path } from '../../values/path.ts';
import { resolved, type SourceNode } from '../../yaml/source-map.ts';
import { isSameName } from '../definition.ts';
import { type Layers, type NameSpot, nameAt, nameKey, namesIn } from '../name-index.ts';
import type { OpenDocument } from '../open-document.ts';
import { renamedTogether } from '../rename.ts';

/** A draft of a project, as names are followed through it. */
export interface ProjectText {
  readonly ref: string;
  readonly text: string;
  /** An overlay is laid over a base; a base stands alone. */
  readonly overlay: boolean;
  /** The bases that an overlay is known to lie over. */
  readonly over: readonly string[];
  /** Reads the text, once. */
  open(): OpenDocument;
}

/**
 * How sure it is that a draft means the same thing by a name: it is the draft asked about, it is
 * known to belong to it, nothing else fits, or other drafts fit as well.
 */
export type Tie = 'here' | 'known' | 'only' | 'possible';

/** A draft with all places that stand for a name. */
export interface NamedIn {
  readonly text: ProjectText;
  readonly tie: Tie;
  readonly spots: readonly NameSpot[];
  /** Every name of the draft. */
  readonly names: readonly NameSpot[];
}

/** A place in one of the drafts. */
export interface ProjectPlace {
  readonly ref: string;
  readonly offset: number;
}

/** A name and the drafts that have it, the one asked about first, then by their refs. */
export interface ProjectName {
  readonly name: NameSpot;
  /** The names that change with it, itself among them. */
  readonly together: readonly NameSpot[];
  readonly files: readonly NamedIn[];
}

/** What lies under an overlay: tells of what kind something is where the overlay does not. */
function layersUnder(bases: readonly ProjectText[]): Layers | undefined {
  if (bases.length === 0) return undefined;
  const roots = bases.map((base) => base.open().source);
  const declared = new Set(
    bases.flatMap((base) =>
      base
        .open()
        .names()
        .filter(({ declares }) => declares)
        .map(nameKey),
    ),
  );
  const beneath = (path: Path): SourceNode | undefined => {
    for (const source of roots) {
      const node = source.find(path)?.node;
      if (node !== undefined) return node;
    }
    return undefined;
  };
  return { beneath, declared };
}

/** The word of a place: the key or the scalar that stands there. */
function wordAt(document: OpenDocument, offset: number): string | undefined {
  const { source } = document;
  const path = source.pathAt(offset);
  const spot = source.find(path);
  if (spot === undefined) return undefined;
  const onKey = spot.key !== undefined && offset <= spot.key.end.offset;
  const last = path.at(-1);
  if (onKey && spot.key.start.offset <= offset) return typeof last === 'string' ? last : undefined;
  const node = resolved(spot.node);
  return node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

class Following {
  readonly #texts: readonly ProjectText[];
  readonly #names = new Map<string, readonly NameSpot[]>();

  /** Only drafts that hold the word are read. */
  constructor(texts: readonly ProjectText[], here: ProjectText, word: string) {
    const written = JSON.stringify(word).slice(1, -1);
    this.#texts = texts.filter(
      (one) => one === here || one.text.includes(word) || one.text.includes(written),
    );
  }

  get bases(): readonly ProjectText[] {
    return this.#texts.filter(({ overlay }) => !overlay);
  }

  get overlays(): readonly ProjectText[] {
    return this.#texts.filter(({ overlay }) => overlay);
  }

  /** The bases that a draft lies over, the known ones alone where there are any. */
  basesOf(text: ProjectText): readonly ProjectText[] {
    if (!text.overlay) return [text];
    const known = this.bases.filter(({ ref }) => text.over.includes(ref));
    return known.length > 0 ? known : this.bases;
  }

  names(text: ProjectText): readonly NameSpot[] {
    if (!text.overlay) return text.open().names();
    const known = this.#names.get(text.ref);
    const made = known ?? namesIn(text.open().source.root, layersUnder(this.basesOf(text)));
    this.#names.set(text.ref, made);
    return made;
  }

  spots(text: ProjectText, wanted: readonly NameSpot[]): readonly NameSpot[] {
    return this.names(text).filter((one) => wanted.some((name) => isSameName(one, name)));
  }

  has(text: ProjectText, wanted: readonly NameSpot[]): boolean {
    return this.spots(text, wanted).length > 0;
  }
}

/** The bases that an asked draft belongs to: known ones by their refs, those that have the name. */
interface Family {
  readonly refs: readonly string[];
  readonly bases: readonly ProjectText[];
  readonly tie: Tie;
}

function familyOf(here: ProjectText, fitting: readonly ProjectText[]): Family {
  if (!here.overlay) return { refs: [here.ref], bases: [here], tie: 'known' };
  if (here.over.length > 0) {
    const bases = fitting.filter(({ ref }) => here.over.includes(ref));
    return { refs: here.over, bases, tie: 'known' };
  }
  const refs = fitting.map(({ ref }) => ref);
  return { refs, bases: fitting, tie: fitting.length === 1 ? 'only' : 'possible' };
}

function liesOver({ over }: ProjectText, refs: readonly string[]): boolean {
  return refs.some((ref) => over.includes(ref));
}

function overlayTie(overlay: ProjectText, { refs, bases, tie }: Family, alone: boolean): Tie {
  if (liesOver(overlay, refs)) return tie === 'possible' ? 'possible' : 'known';
  return overlay.over.length === 0 && alone && bases.length === 1 ? 'only' : 'possible';
}

/** The drafts that have one of these names, each with how sure that is. */
function tiesOf(
  all: Following,
  here: ProjectText,
  wanted: readonly NameSpot[],
): Map<ProjectText, Tie> {
  const ties = new Map<ProjectText, Tie>();
  const fitting = all.bases.filter((base) => all.has(base, wanted));
  const family = familyOf(here, fitting);
  for (const base of family.bases) ties.set(base, family.tie);
  const alone = fitting.every((base) => family.bases.includes(base));
  const overlays = all.overlays.filter((one) => all.has(one, wanted));
  for (const overlay of overlays) ties.set(overlay, overlayTie(overlay, family, alone));
  ties.set(here, 'here');
  // A base that shares an overlay with these would lose the name otherwise.
  const sharing = overlays.filter((one) => ties.get(one) !== 'possible');
  for (const base of fitting) {
    const shares = sharing.some((one) => liesOver(one, [base.ref]));
    if (!ties.has(base) && shares) ties.set(base, 'known');
  }
  return ties;
}

/**
 * Follows the name at a place through the drafts of a project: from a base into the overlays over
 * it, from an overlay into its base and beside it. With `whole`, names that change with it are
 * followed too. Undefined where no name stands.
 */
export function nameInProject(
  texts: readonly ProjectText[],
  { ref, offset }: ProjectPlace,
  whole = false,
): ProjectName | undefined {
  const here = texts.find((one) => one.ref === ref);
  const word = here && wordAt(here.open(), offset);
  if (here === undefined || word === undefined) return undefined;
  const all = new Following(texts, here, word);
  const name = nameAt(all.names(here), offset);
  if (name === undefined) return undefined;
  let wanted: readonly NameSpot[] = [name];
  let files = filesOf(all, here, wanted);
  while (whole) {
    const together = renamedTogether(
      files.map(({ names }) => names),
      name,
    );
    if (together.length === wanted.length) break;
    wanted = together;
    files = filesOf(all, here, wanted);
  }
  return { name, together: wanted, files };
}

function filesOf(
  all: Following,
  here: ProjectText,
  wanted: readonly NameSpot[],
): readonly NamedIn[] {
  return [...tiesOf(all, here, wanted)]
    .map(([text, tie]) => ({ text, tie, names: all.names(text), spots: all.spots(text, wanted) }))
    .sort((a, b) => order(a) - order(b) || (a.text.ref < b.text.ref ? -1 : 1));
}

function order({ tie }: NamedIn): number {
  return tie === 'here' ? 0 : 1;
}

/**
 * Where the name at a place is declared: in the draft itself, else in those that it belongs to; an
 * overlay's own entry leads to the one that it changes.
 */
export function definitionsInProject(
  texts: readonly ProjectText[],
  place: ProjectPlace,
): readonly { readonly ref: string; readonly spot: NameSpot }[] {
  const found = nameInProject(texts, place);
  if (found === undefined) return [];
  const declared = found.files.flatMap(({ text, spots }) => {
    const spot = spots.find(({ declares }) => declares);
    return spot === undefined ? [] : [{ ref: text.ref, spot, overlay: text.overlay }];
  });
  const bases = declared.filter(({ overlay }) => !overlay);
  const own = declared.filter(({ ref }) => ref === place.ref);
  if (own.length > 0 && (bases.length === 0 || !own[0]?.overlay)) return own;
  return bases.length > 0 ? bases : declared;
}
