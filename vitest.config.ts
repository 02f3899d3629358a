import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@parley/source', 'node', 'import', 'module', 'default'] },
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['{packages,servers}/*/test/**/*.test.ts', '{examples,bench,scripts}/test/**/*.test.ts'],
    testTimeout: 20_000,
  },
})
