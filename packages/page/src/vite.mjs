/** How the page of a program is made into static files. */

import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The page beside a `vite.config.ts`, in the folder `page`, as static files in `dist/page`. Paths are relative, so that
 * it can be served below any prefix; nothing is inlined, so that the strictest content policy holds.
 *
 * @param {string} configUrl `import.meta.url` of the configuration
 */
export function pageConfig(configUrl) {
  return defineConfig({
    root: fileURLToPath(new URL('page', configUrl)),
    base: './',
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    plugins: [react()],
    resolve: { conditions: ['@parley/source', 'browser', 'module', 'import', 'default'] },
    build: {
      outDir: fileURLToPath(new URL('dist/page', configUrl)),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      chunkSizeWarningLimit: 700,
      // Panels share classes, and all of it together is small.
      cssCodeSplit: false,
    },
  })
}
