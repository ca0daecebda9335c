// The first words that are commands; everything else that exists is opened in the window. A test
// compares them with the command tree.
export const COMMAND_WORDS = [
  'run',
  'runs',
  'human',
  'spec',
  'gaps',
  'diff',
  'merge',
  'git-setup',
  'bundle',
  'import',
  'rehearse',
  'policy',
  'config',
  'serve',
  'link',
  'service',
  'dashboard',
  'studio',
  'trust',
  'completion',
];
