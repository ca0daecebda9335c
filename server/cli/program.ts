import { Command } from 'commander';
import { paintNote, sendNote, sendText } from './output.ts';
import { addBundleWords } from './words/bundle-words.ts';
import { addConfigWords } from './words/config-words.ts';
import { addGapWords } from './words/gap-words.ts';
import { addGitWords } from './words/git-words.ts';
import { addHumanWords } from './words/human-words.ts';
import { addImportWords } from './words/import-words.ts';
import { addPolicyWords } from './words/policy-words.ts';
import { addRehearse } from './words/rehearse-words.ts';
import { addRunWords } from './words/run-words.ts';
import { addSecretWords } from './words/secret-words.ts';
import {
  addDashboardWords,
  addLink,
  addServe,
  addServiceWords,
  addStudioWords,
} from './words/service-words.ts';
import { addSpecWords } from './words/spec-words.ts';
import { addStoreWords } from './words/store-words.ts';
import { addTrustWords } from './words/trust-words.ts';

/** The command tree of decisions 29; each command is loaded only when it is asked for. */
export function createProgram(version: string): Command {
  const program = new Command('specwright')
    .description('Author, run and operate agent workflows.')
    .version(`specwright ${version}`, '-V, --version')
    .configureOutput({
      writeOut: sendText,
      writeErr: sendNote,
      outputError: (text, write) =>
        write(`${paintNote('red', '✗')} ${text.replace(/^error: /, '')}`),
    })
    .showSuggestionAfterError()
    .exitOverride();
  addRunWords(program);
  addHumanWords(program);
  addSpecWords(program);
  addGitWords(program);
  addBundleWords(program);
  addImportWords(program);
  addRehearse(program);
  addGapWords(program);
  addPolicyWords(program);
  addConfigWords(program);
  addTrustWords(program);
  addSecretWords(program);
  addServe(program);
  addLink(program);
  addServiceWords(program);
  addDashboardWords(program);
  addStudioWords(program);
  addStoreWords(program);
  return program;
}
