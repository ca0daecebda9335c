import variant from '@jitl/quickjs-singlefile-mjs-release-sync';

/** The engine, whose texts the platform writes into its memory: its own loop takes ten times as long. */
export const ENGINE: typeof variant = {
  ...variant,
  importModuleLoader: async () => {
    const loadModule = await variant.importModuleLoader();
    if (typeof loadModule !== 'function') throw new Error('the engine has no loader');
    return async (options) => {
      const module = await loadModule(options);
      module.lengthBytesUTF8 = (text) => Buffer.byteLength(text);
      module.stringToUTF8 = (text, start) => {
        const memory = Buffer.from(module.HEAPU8.buffer);
        memory[start + memory.write(text, start)] = 0;
      };
      return module;
    };
  },
};
