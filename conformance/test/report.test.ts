import { expect, test } from 'vitest'

import { formatReport, replaceReport } from '../suite/report.mjs'
import type { Verdict } from '../suite/verdict.mjs'

function verdict(
  place: string,
  outcome: Verdict['outcome'] = 'passed',
  problems: readonly string[] = [],
): Verdict {
  const [release = '', leg, scenario = '', revision = ''] = place.split(' ')
  const run = {
    release,
    leg: leg === 'server' ? 'server' : 'client',
    scenario,
    revision,
    isExtension: false,
  } as const
  return { run, outcome, problems, passed: 1, failed: 0, warnings: 0, skipped: 0 }
}

test('has what counts of each set, then every scenario at each revision and with each older release', () => {
  const report = formatReport({
    release: '2.0.0',
    required: new Map([['2025-11-25', new Set(['server ping', 'client call', 'client auth/x'])]]),
    verdicts: [
      verdict('2.0.0 server ping 2025-11-25'),
      verdict('2.0.0 server ping 2025-06-18', 'expected', ['it is slow']),
      verdict('2.0.0 server tasks 2025-11-25', 'failed'),
      verdict('1.0.0 server ping 2025-11-25'),
      verdict('2.0.0 client call 2025-11-25'),
      verdict('2.0.0 client auth/x 2025-11-25', 'open', ['not yet']),
    ],
  })

  expect(report).toBe(`| requirement set | server | client |
|---|---|---|
| 2025-11-25 | 1 of 1 | 1 of 2 |

| server | 2025-06-18 | 2025-11-25 | 1.0.0 |
|---|---|---|---|
| \`ping\` | – | **✓** | ✓ |
| \`tasks\` | | ✗ | |

- \`ping\`: it is slow

| client | 2025-11-25 |
|---|---|
| \`call\` | **✓** |
| \`auth/x\` | **open** |

- open: not yet`)
})

test('stands in its place on a page, and nothing else changes', () => {
  const begin = '<!-- results: npm run conformance -- --write -->'
  const end = '<!-- end of results -->'

  const page = replaceReport(`# Before\n\n${begin}\n\nold\n\n${end}\n\nAfter\n`, 'new')

  expect(page).toBe(`# Before\n\n${begin}\n\nnew\n\n${end}\n\nAfter\n`)
  expect(() => replaceReport('# No place', 'new')).toThrow('no place for results')
})
