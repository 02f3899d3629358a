import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The page as static files. Paths are relative, so that it can be served below any prefix; nothing is inlined, so that
 * the strictest content policy holds.
 */
export default defineConfig({
  root: fileURLToPath(new URL('page', import.meta.url)),
  base: './',
  plugins: [react()],
  resolve: { conditions: ['@parley/source', 'browser', 'module', 'import', 'default'] },
  build: {
    outDir: fileURLToPath(new URL('dist/page', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    // Panels share classes, and all of it together is small.
    cssCodeSplit: false,
  },
})
