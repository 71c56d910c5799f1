import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const directory = fileURLToPath(new URL('.', import.meta.url));

/** The gateway serves the bundle below `/dashboard/`. Each page is a chunk. */
export default defineConfig({
  root: directory,
  base: '/dashboard/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic' } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  // The importer's worker uses imports.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    manifest: true,
    // The content policy forbids inline files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Packages mark client code with a directive. The whole bundle is client code.
      onLog: (level, log, handle) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log)),
    },
  },
});
