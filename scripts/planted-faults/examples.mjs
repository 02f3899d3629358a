/** In the examples. */

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const examplesFaults = [
  {
    id: 'REFS-10',
    file: 'examples/recipes.ts',
    find: "mimeType: 'text/markdown', text },",
    put: "mimeType: 'text/markdown', text: '' },",
    test: 'examples/test/recipes.test.ts',
  },
]
