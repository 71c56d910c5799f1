import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const directory = fileURLToPath(new URL('.', import.meta.url));

/** The page as the gateway serves it, below `/dashboard/`. Every page of it is a chunk of its own. */
export default defineConfig({
  root: directory,
  base: '/dashboard/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic' } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  // The importer's worker is a module, as the page is.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    manifest: true,
    // A policy that allows scripts of our own only has no room for inlined files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Packages mark what runs on a client; all of this does.
      onLog: (level, log, handle) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log)),
    },
  },
});
