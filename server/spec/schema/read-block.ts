import { isNonTextValue } from '../values/non-text.ts';
import {
  type Block,
  below,
  closeBlock,
  listOf,
  mapOf,
  oneOf,
  openBlock,
  type Reader,
  raw,
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readPath,
  readText,
  report,
} from './block.ts';
import { type BlockName, type FieldHelp, VALUES } from './field-help.ts';
import { BLOCKS } from './help.ts';
import { WORKFLOW_BLOCKS } from './help-workflow.ts';

const TYPES: Readonly<Record<FieldHelp['type'], Reader<unknown>>> = {
  text: readText,
  integer: readInteger,
  number: readNumber,
  boolean: readBoolean,
  object: readObject,
  any: (value) => value,
};

const readBudget: Reader<number> = (value, path, findings, dated) => {
  const before = findings.length;
  const budget = readInteger(value, path, findings, dated);
  if (findings.length === before && budget <= 0) {
    report(findings, path, `The token budget must be above 0, found ${budget}.`, {
      text: 'Remove it for no limit.',
      mend: { change: 'remove' },
    });
  }
  return budget;
};

function readerOfOne({ block, values, others, must, type }: FieldHelp): Reader<unknown> {
  if (block !== undefined && !BLOCKS[block].open) return readBlock(block);
  if (values !== undefined && !others) return oneOf(values);
  if (must === 'stay inside') return readPath;
  return must === 'be above 0' ? readBudget : TYPES[type];
}

function readerOf(field: FieldHelp): Reader<unknown> {
  const one = readerOfOne(field);
  if (field.holds === 'list') return listOf(one);
  return field.holds === 'map' ? mapOf(one) : one;
}

/** What a field is that nobody wrote. */
function absent({ nullable, holds, block, type, standard }: FieldHelp): unknown {
  if (nullable) return null;
  if (holds === 'list') return [];
  if (holds === 'map') return {};
  if (block !== undefined && !BLOCKS[block].open) return readBlock(block)({}, '', [], false);
  switch (type) {
    case 'object':
      return {};
    case 'boolean':
      return standard === 'true';
    case 'integer':
    case 'number':
      return Number(standard);
    default:
      return standard;
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}

/** As `readerOf`, where null or what counts as empty is null. */
function readerOrNull(field: FieldHelp): Reader<unknown> {
  const read = readerOf(field);
  if (!field.nullable) return read;
  return (value, path, findings, dated) => {
    if (value === null) return null;
    const made = read(value, path, findings, dated);
    return field.unset === 'empty' && isEmpty(made) ? null : made;
  };
}

type FieldReader = (block: Block, made: Record<string, unknown>) => void;

function fieldReader(key: string, field: FieldHelp, sparse: boolean): FieldReader {
  const { also, required } = field;
  const read = readerOrNull(field);
  return (block, made) => {
    let written = key;
    let value = raw(block, key);
    if (value === undefined && also !== undefined) {
      written = also;
      value = raw(block, also);
    }
    if (value !== undefined) {
      const dated = isNonTextValue(block.value, written);
      made[key] = read(value, below(block.path, written), block.findings, dated);
    } else if (!required) {
      if (!sparse) made[key] = absent(field);
    } else if (!block.broken) {
      report(block.findings, below(block.path, key), `The key "${key}" is missing; add it.`);
    }
  };
}

function makeReader(name: BlockName): Reader<unknown> {
  const { called = name, fields, sparse = false } = BLOCKS[name];
  const known: Record<string, unknown> = { ...fields };
  for (const { also } of Object.values(fields)) if (also !== undefined) known[also] = true;
  const readers = Object.entries(fields).map(([key, field]) => fieldReader(key, field, sparse));
  return (value, path, findings) => {
    const block = openBlock(value, path, findings, called);
    const made = {};
    for (const read of readers) read(block, made);
    closeBlock(block, known);
    return made;
  };
}

const readKind = fieldReader('type', WORKFLOW_BLOCKS.workflow.fields.type, false);

/** `type` decides which fields a workflow has, so nothing else is read without it. */
const readWorkflow: Reader<unknown> = (value, path, findings, dated) => {
  const before = findings.length;
  const block = openBlock(value, path, findings, 'a workflow');
  const made: Record<string, unknown> = {};
  readKind(block, made);
  const kind = VALUES.workflow.find((known) => known === made['type']);
  if (kind === undefined || findings.length > before) return made;
  return readBlock(kind === 'group_chat' ? 'group-chat' : kind)(value, path, findings, dated);
};

const READERS = new Map<BlockName, Reader<unknown>>([['workflow', readWorkflow]]);

/**
 * Reads a block as its table says (spec-v1 4): each field that nobody wrote has its default, and
 * another key is a finding.
 */
export function readBlock(name: BlockName): Reader<unknown> {
  return (value, path, findings, dated) => {
    let read = READERS.get(name);
    if (read === undefined) {
      read = makeReader(name);
      READERS.set(name, read);
    }
    return read(value, path, findings, dated);
  };
}
