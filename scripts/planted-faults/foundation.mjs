/** In `packages/foundation`. */

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const foundationFaults = [
  {
    id: 'CFG-01',
    file: 'packages/foundation/src/config/files/config-blocks.ts',
    find: "const names = [...new Set([rulesOf(format).serversKey, 'mcpServers', 'servers'])]",
    put: "const names = ['servers']",
    test: 'packages/foundation/test/config/load-config.test.ts',
  },
  {
    id: 'CFG-02',
    file: 'packages/foundation/src/config/entries/read-entry.ts',
    find: 'args: args ?? [],',
    put: 'args: [],',
    test: 'packages/foundation/test/config/load-config.test.ts',
  },
  {
    id: 'CFG-03',
    file: 'packages/foundation/src/config/entries/resolve-entry.ts',
    find: ", ...(await map(env, 'env')) }",
    put: ' }',
    test: 'packages/foundation/test/config/resolve-entry.test.ts',
  },
  {
    id: 'CFG-04',
    file: 'packages/foundation/src/config/entries/review-entry.ts',
    find: '.filter(([, text]) => isRelative(text))',
    put: '.filter(() => false)',
    test: 'packages/foundation/test/config/review-entry.test.ts',
  },
  {
    id: 'CFG-05',
    file: 'packages/foundation/src/config/entries/read-entry.ts',
    find: "report('error', missing, `has no ${missing}`",
    put: "report('warning', missing, `is odd`",
    test: 'packages/foundation/test/config/load-config.test.ts',
  },
  {
    id: 'CFG-06',
    file: 'packages/foundation/src/config/entries/read-entry.ts',
    find: 'headers: headers ?? {} }',
    put: 'headers: {} }',
    test: 'packages/foundation/test/config/load-config.test.ts',
  },
  {
    id: 'CFG-07',
    file: 'packages/foundation/src/config/files/locations.ts',
    find: "    project('mcp.json', 'parley'),\n",
    put: '',
    test: 'packages/foundation/test/config/load-config.test.ts',
  },
  {
    id: 'CFG-08',
    file: 'packages/foundation/src/config/export-config.ts',
    find: "const extraKeys = format === 'parley' ? ownKeys(entry, hider) : {}",
    put: 'const extraKeys = {}',
    test: 'packages/foundation/test/config/export-config.test.ts',
  },
  {
    id: 'CFG-09',
    file: 'packages/foundation/src/config/variables/input-answers.ts',
    find: 'if (isPassword(input)) await (await secrets()).set(key, value)\n      else await',
    put: 'await',
    test: 'packages/foundation/test/config/input-answers.test.ts',
  },
  {
    id: 'CFG-10',
    file: 'packages/foundation/src/config/files/watch-config.ts',
    find: 'onChange(next, changes)',
    put: 'void changes',
    test: 'packages/foundation/test/config/watch-config.test.ts',
  },
  {
    id: 'CFG-11',
    file: 'packages/foundation/src/config/entries/review-entry.ts',
    find: "about(entry, 'warning', 'args', rights, 'List only the folders that it needs.'),",
    put: '',
    test: 'packages/foundation/test/config/review-entry.test.ts',
  },
  {
    id: 'INSP-11',
    file: 'packages/foundation/src/trace/recorder.ts',
    find: 'details: details === undefined ? undefined : mask(details),',
    put: 'details,',
    test: 'packages/inspector/test/e2e/requirements.test.ts',
  },
]
