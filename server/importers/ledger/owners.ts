import { NameSet } from '../lowering/names.ts';
import { DRAFT, type Place } from './place.ts';
import type { LedgerScene } from './scene.ts';
import type { Owner } from './survey.ts';

const LONGEST_NAME = 200;
const IMPORTED = DRAFT.at(['metadata', 'imported']);

/** Where what is the whole file's is kept: what says what the workflow is, or all of it. */
export function fileNotes(name: 'workflow' | 'file'): Place {
  return IMPORTED.below(name);
}

/** Gives each element a name of its own among the notes of a draft. */
export class Owners {
  readonly file: Owner;
  private readonly scene: LedgerScene;
  private readonly names = new Map<string, NameSet>();

  constructor(scene: LedgerScene, label: string, notes: 'workflow' | 'file') {
    this.scene = scene;
    this.file = { id: null, label, note: fileNotes(notes) };
  }

  of(id: string, label: string, section: 'elements' | 'notes' = 'elements'): Owner {
    const names = this.names.get(section) ?? new NameSet();
    this.names.set(section, names);
    const whole = this.scene.protector.scrub(label);
    const name = names.claim(whole.slice(0, LONGEST_NAME).toWellFormed());
    return { id, label, note: IMPORTED.below(section).below(name) };
  }
}
