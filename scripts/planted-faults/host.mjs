/** In `packages/host`. */

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const hostFaults = [
  {
    id: 'DEC-12',
    file: 'packages/host/src/consent/rules/judge.ts',
    find: 'if (first !== undefined) {',
    put: 'if (first !== undefined && found.length === asking.length) {',
    test: 'packages/host/test/consent/rules.test.ts',
  },
  {
    id: 'TUI-05',
    file: 'packages/host/src/consent/create-consent.ts',
    find: "if (lasting === 'session') {",
    put: "if (lasting === 'always') {",
    test: 'packages/host/test/consent/remembering.test.ts',
  },
  {
    id: 'TUI-06',
    file: 'packages/host/src/consent/weigh.ts',
    find: 'if (changes.length > 0) return weighChanges',
    put: "if (changes.length > 0 && judged.decision !== 'allow') return weighChanges",
    test: 'packages/host/test/consent/remembering.test.ts',
  },
  {
    id: 'TUI-07',
    file: 'packages/host/src/consent/rules/judge.ts',
    find: 'trusted ? [claims] : [claims, worst]',
    put: '[claims]',
    test: 'packages/host/test/consent/rules.test.ts',
  },
  {
    id: 'HDEC-01',
    file: 'packages/host/src/consent/rules/judge.ts',
    find: 'return results.every((result) => result === true)',
    put: 'return results.some((result) => result === true)',
    test: 'packages/host/test/consent/rules.test.ts',
  },
  {
    id: 'AUI-03',
    file: 'packages/cli/src/rules/trust.ts',
    find: 'return isTrust ? [...others, ...servers] : others',
    put: 'return [...others, ...servers]',
    test: 'packages/cli/test/commands/rules.test.ts',
  },
]
