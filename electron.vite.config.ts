import { globSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

const root = import.meta.dirname;

// A file `server/**/<name>-thread.ts` is the entry of a worker thread, `<name>-guest.ts` that of a
// realm in the interpreter: it lands as out/main/<name>.mjs beside the bundle that starts it.
const threads = Object.fromEntries(
  globSync('server/**/*-{thread,guest}.ts', { cwd: root }).map((file) => [
    path.basename(file, '.ts'),
    path.join(root, file),
  ]),
);

// All homes, app://specwright, the gateway and the dashboard by itself, serve the files at their root,
// and the last one serves the page at deep addresses too. electron-vite sets a relative base.
const filesAtRoot: Plugin = {
  name: 'files-at-root',
  config: {
    order: 'post',
    handler(config) {
      config.base = '/';
    },
  },
};

/** Beyond this share of them a file is a catalogue in another script. */
const FEW = 0.01;

// The engine keeps the text of a file with one character beyond Latin-1 in twice the memory.
const oneByteFiles: Plugin = {
  name: 'one-byte-files',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const others = file.code.match(/[^\0-\x7f]/g) ?? [];
      if (others.length > file.code.length * FEW) continue;
      file.code = file.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

export default defineConfig({
  main: {
    plugins: [oneByteFiles],
    resolve: {
      // As browsers get it: the file for programs looks for files and has no place in a realm.
      alias: [
        {
          find: /^alasql$/,
          replacement: path.join(root, 'node_modules/alasql/dist/alasql.min.js'),
        },
      ],
    },
    build: {
      // The substitute runtime of development machines is Electron 33: Node 20 in the shell.
      target: 'node20',
      outDir: path.join(root, 'out/main'),
      externalizeDeps: true,
      rollupOptions: {
        input: {
          index: path.join(root, 'main/index.ts'),
          server: path.join(root, 'server/cli/index.ts'),
          ...threads,
        },
        output: {
          format: 'es',
          entryFileNames: '[name].mjs',
          chunkFileNames: 'chunks/[name]-[hash].mjs',
          // Texts of files stay in memory: without comments and blanks they are a third smaller. Names
          // stay, so that a stack says where it was.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  },
  preload: {
    build: {
      target: 'node20',
      outDir: path.join(root, 'out/preload'),
      externalizeDeps: false,
      rollupOptions: {
        input: path.join(root, 'preload/index.ts'),
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    root: path.join(root, 'renderer'),
    resolve: {
      alias: [
        {
          find: /^monaco-editor\/esm\/vs\/(.*)$/,
          replacement: `${path.join(root, 'node_modules/monaco-editor/esm/vs')}/$1`,
        },
      ],
    },
    plugins: [react(), filesAtRoot, oneByteFiles],
    worker: { format: 'es', plugins: () => [oneByteFiles] },
    build: {
      target: 'chrome130',
      minify: true,
      outDir: path.join(root, 'out/renderer'),
      // An absolute path: a relative one makes the dev server skip dependency pre-bundling.
      rollupOptions: {
        input: {
          index: path.join(root, 'renderer/index.html'),
          stopped: path.join(root, 'renderer/stopped.html'),
        },
      },
    },
  },
});
