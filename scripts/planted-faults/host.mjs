/** In `packages/host`. */

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const hostFaults = [
  {
    id: 'DEC-12',
    file: 'packages/host/src/consent/rules/evaluate-rules.ts',
    find: 'if (first !== undefined) {',
    put: 'if (first !== undefined && matching.length === asking.length) {',
    test: 'packages/host/test/consent/rules.test.ts',
  },
  {
    id: 'TUI-05',
    file: 'packages/host/src/consent/create-consent.ts',
    find: "if (duration === 'session') {",
    put: "if (duration === 'always') {",
    test: 'packages/host/test/consent/remembering.test.ts',
  },
  {
    id: 'TUI-06',
    file: 'packages/host/src/consent/decide.ts',
    find: 'if (changes.length > 0) return decideChanged',
    put: "if (changes.length > 0 && ruled.decision !== 'allow') return decideChanged",
    test: 'packages/host/test/consent/remembering.test.ts',
  },
  {
    id: 'TUI-07',
    file: 'packages/host/src/consent/rules/evaluate-rules.ts',
    find: 'trusted ? [claims] : [claims, worst]',
    put: '[claims]',
    test: 'packages/host/test/consent/rules.test.ts',
  },
  {
    id: 'HDEC-01',
    file: 'packages/host/src/consent/rules/evaluate-rules.ts',
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
