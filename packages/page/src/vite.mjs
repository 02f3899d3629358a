/** Makes the page of a program into static files. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The page beside a `vite.config.ts`, in the folder `page`, as static files in `dist/page`. Paths are relative, so that
 * it can be served below any prefix; nothing is inlined, so that the strictest content policy holds.
 *
 * @param {string} configUrl `import.meta.url` of the configuration
 * @param {string} title the name of the program: `Parley Inspector`
 */
export function pageConfig(configUrl, title) {
  const root = fileURLToPath(new URL('page', configUrl))
  return defineConfig({
    root,
    base: './',
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    plugins: [htmlFromTemplate(root, title), react()],
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

/**
 * The one document of all programs. It is a file of no folder: what differs is the title.
 *
 * @param {string} root @param {string} title
 * @returns {import('vite').Plugin}
 */
function htmlFromTemplate(root, title) {
  const path = join(root, 'index.html')
  return {
    name: 'parley-page-template',
    enforce: 'pre',
    config: () => ({ build: { rolldownOptions: { input: path } } }),
    resolveId: (id) => (id === path ? path : undefined),
    load: (id) => (id === path ? template(title) : undefined),
  }
}

/** @param {string} title */
function template(title) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="./icon.svg" type="image/svg+xml" />
    <script vite-ignore src="./scheme.js"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>${title} needs JavaScript.</noscript>
    <script type="module" src="./main.tsx"></script>
  </body>
</html>
`
}
