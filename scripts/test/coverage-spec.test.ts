import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  findShortfalls,
  findUnknownIds,
  readCatalogue,
  renderMissing,
  summarize,
} from '../coverage-spec.mjs'
import { parseCatalogue, parseNotTested } from '../requirement-catalogue.mjs'
import { compactIds, expandIds, findBracketedIds } from '../requirement-ids.mjs'
import { findTestedIds } from '../tested-requirements.mjs'

describe('ids', () => {
  test.each([
    ['refuses a null request id [BASE-06]', ['BASE-06']],
    ['opens and answers [LIFE-01, LIFE-02]', ['LIFE-01', 'LIFE-02']],
    ['checks forms [ELIC-07..09]', ['ELIC-07', 'ELIC-08', 'ELIC-09']],
    ['checks forms [ELIC-07..ELIC-08, N11-BASE-01]', ['ELIC-07', 'ELIC-08', 'N11-BASE-01']],
    ['two brackets [PING-01] and [R0326S-03]', ['PING-01', 'R0326S-03']],
    ['an index a[0], a class [A-Z], [see BASE-06]', []],
    ['BASE-06 without brackets', []],
    ['a range that runs backwards [ELIC-09..07]', []],
  ])('finds in "%s" the ids %j', (text, ids) => {
    expect(findBracketedIds(text)).toEqual(ids)
  })

  test('a short form expands to what it was made of', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1 })
    fc.assert(
      fc.property(numbers, (chosen) => {
        const ids = chosen
          .toSorted((a, b) => a - b)
          .map((number) => `AREA-${String(number).padStart(2, '0')}`)

        expect(expandIds(compactIds(ids))).toEqual(ids)
      }),
    )
  })
})

describe('catalogue', () => {
  test('reads bullet lines with their level', () => {
    const lines = [
      '- **BASE-06** MUST NOT both: `id` null on a request. test: refused.',
      '- **ARCH-13** SHOULD NOT~ server: see the whole conversation.',
      '- **BASE-02** MAY both: MUST is only mentioned here.',
      '- **DEC-04** Fractional ids: prose says MAY. Resolve: refuse fractions.',
      '- ~~**BASE-99** MUST both: retired.~~',
      '- **not an id** MUST both: nothing.',
    ]

    const requirements = parseCatalogue(lines.join('\n'))

    expect(requirements.map(({ id, area, level }) => [id, area, level])).toEqual([
      ['BASE-06', 'BASE', 'MUST'],
      ['ARCH-13', 'ARCH', 'SHOULD'],
      ['BASE-02', 'BASE', 'MAY'],
      ['DEC-04', 'DEC', 'MUST'],
    ])
  })

  test('reads tables whose first column is the id, and no others', () => {
    const lines = [
      '| id | level | binds | requirement | test |',
      '|---|---|---|---|---|',
      '| N11-CAP-04 | MUST (=) | both | Stay within it. | test: audit |',
      '| N07-HDR-06 | MAY / MUST | server | Either `a\\|b`. | test: both |',
      '| N07-DISC-04 | [J] | client | Our reading. | test: one |',
      '| N11-META-03 | n/a | both | No effect. | test: none |',
      '',
      '| id | where | reading |',
      '|---|---|---|',
      '| N11-T-01 | One page says MAY. | Use the code. |',
      '',
      '| legacy | now |',
      '|---|---|',
      '| HTTP-01 | stays |',
    ]

    const requirements = parseCatalogue(lines.join('\n'))

    expect(requirements.map(({ id, level }) => [id, level])).toEqual([
      ['N11-CAP-04', 'MUST'],
      ['N07-HDR-06', 'MUST'],
      ['N07-DISC-04', 'SHOULD'],
      ['N11-META-03', 'none'],
      ['N11-T-01', 'MUST'],
    ])
  })

  test('reads reasons for ids and ranges, and takes no empty reason', () => {
    const table = '| id | reason |\n|---|---|\n| ARCH-01..02 | the host |\n| TOOL-02 | |\n'

    expect([...parseNotTested(table)]).toEqual([
      ['ARCH-01', 'the host'],
      ['ARCH-02', 'the host'],
    ])
  })

  test('the catalogue of this repository names every id once', () => {
    const ids = readCatalogue().map(({ id }) => id)

    expect(ids.length).toBeGreaterThan(1000)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })
})

describe('tests', () => {
  test('titles count, from calls, tables and templates', () => {
    const text = [
      "test('plain [AAA-01]', () => {})",
      'test.each(cases)(`${revision} template [AAA-02]`, () => {})',
      "const cases = [{ name: 'from a table [AAA-03]' }]",
      "describe('group [AAA-04]', () => { it('inner [AAA-05]', () => {}) })",
    ].join('\n')

    expect([...findTestedIds('a.test.ts', text)].toSorted()).toEqual(expandIds('AAA-01..05'))
  })

  test('comments and tests that do not run count for nothing', () => {
    const text = [
      '// [AAA-01]',
      "test.skip('later [AAA-02]', () => {})",
      "test.todo('later [AAA-03]')",
      "describe.skip('group', () => { test('inner [AAA-04]', () => {}) })",
      "test.skip.each([1])('each [AAA-05]', () => {})",
      "test.skipIf(isWindows)('runs elsewhere [AAA-06]', () => {})",
    ].join('\n')

    expect([...findTestedIds('a.test.ts', text)]).toEqual(['AAA-06'])
  })

  test('what only runs beside files of somewhere else counts for nothing', () => {
    const text = [
      "test.skipIf(!existsSync(schema))('a file [AAA-01]', () => {})",
      "const folder = process.env['SUITE'] ?? ''",
      "const isThere = folder !== ''",
      "describe.runIf(isThere)('a variable', () => { test('inner [AAA-02]', () => {}) })",
      "test.skipIf(!isThere).each([1])('each [AAA-03]', () => {})",
      "test.skipIf(!hasChromium)('a browser, which we expect [AAA-04]', () => {})",
      "test.runIf(revision === '2026-07-28')('a revision [AAA-05]', () => {})",
    ].join('\n')

    expect([...findTestedIds('a.test.ts', text)]).toEqual(['AAA-04', 'AAA-05'])
  })

  test.each([{ item: `${'a long name from a table, '.repeat(4)} and its id [AAA-01]` }])(
    '$item',
    ({ item }) => {
      expect(expect.getState().currentTestName).toContain(item) // so that `-t AAA-01` finds it
    },
  )
})

describe('report', () => {
  const requirements = parseCatalogue(
    [
      '- **AAA-01** MUST both: one.',
      '- **AAA-02** MUST both: two.',
      '- **AAA-03** SHOULD both: three.',
      '- **AAA-04** MAY both: four.',
      '- **BBB-01** MUST both: one.',
    ].join('\n'),
  )
  const evidence = {
    requirements,
    testFilesById: new Map([['AAA-01', ['a.test.ts']]]),
    reasonsById: new Map([['AAA-02', 'belongs to the host']]),
  }

  test('counts what is covered, excused and missing per area and level', () => {
    const areas = summarize(evidence)

    expect(areas.get('AAA')).toMatchObject({
      MUST: { total: 2, covered: 1, excused: 1, missing: [] },
      SHOULD: { total: 1, covered: 0, excused: 0, missing: ['AAA-03'] },
      MAY: { total: 1, missing: ['AAA-04'] },
    })
  })

  test('a required area may lack a MAY but no MUST or SHOULD', () => {
    expect(findShortfalls(evidence, ['AAA'])).toEqual(['AAA lacks AAA-03'])
    expect(findShortfalls(evidence, ['CCC'])).toEqual(['there is no area CCC'])

    const complete = {
      ...evidence,
      testFilesById: new Map([
        ['AAA-01', []],
        ['AAA-03', []],
      ]),
    }
    expect(findShortfalls(complete, ['AAA'])).toEqual([])
  })

  test('a reason goes as soon as a test names the id', () => {
    const shown = { ...evidence, testFilesById: new Map([['AAA-02', ['a.test.ts']]]) }

    expect(findShortfalls(shown, [])).toEqual([
      'AAA-02 is named by a test: take its line out of not-tested.md',
    ])
  })

  test('what is missing is told in the words of its page', () => {
    const page = '- **AAA-01** MUST NOT both: one.\n- **AAA-02** SHOULD NOT~ both: two.\n'
    const none = {
      requirements: parseCatalogue(page),
      testFilesById: new Map(),
      reasonsById: new Map(),
    }

    expect(renderMissing(none, summarize(none)).split('\n')).toEqual([
      'AAA-01        MUST NOT   both: one.',
      'AAA-02        SHOULD NOT both: two.',
    ])
  })

  test('an id of a known area that does not exist is a slip', () => {
    const slipped = {
      ...evidence,
      testFilesById: new Map([
        ['AAA-77', ['a.test.ts']],
        ['UTF-16', []],
      ]),
    }

    expect(findUnknownIds(slipped)).toEqual(['AAA-77'])
    expect(findShortfalls(slipped, [])).toEqual(['AAA-77 is not in the catalogue'])
  })
})
