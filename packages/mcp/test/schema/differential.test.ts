import * as zodSchemas from '@modelcontextprotocol/core'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'

import { hasOfficialSchemas, readOfficialSchema } from '../../../../test-support/official-schema.ts'
import { isThorough } from '../../../../test-support/thorough.ts'
import { describeProblem } from '../../src/schema/check.ts'
import {
  type Looser,
  looserThanOfficial,
  looserThanZod,
  repaired,
  type Stricter,
  stricterThanOfficial,
  stricterThanZod,
} from './differences.ts'
import { type MessageCase, messages } from './messages.ts'
import { createRandom, mutate } from './mutate.ts'

type Accepts = (value: unknown) => boolean

const mutationsPerSample = 400
/** Compiled schemas take ten times as long as Zod's. */
const mutationsForSchemas = isThorough ? mutationsPerSample : 100
const legacyRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
const cases: readonly [string, MessageCase][] = Object.entries(messages)

describe.skipIf(!hasOfficialSchemas)('against the official schemas', () => {
  const official = hasOfficialSchemas ? compileOfficialSchemas() : new Map<string, Accepts>()
  const used = new Set<Looser | Stricter>()

  test.each(cases)('agrees about %s in every revision that has it', (name, message) => {
    let compared = 0
    for (const { value, since } of mutations(message, mutationsForSchemas)) {
      const problem = message.check(value)
      let isLegalLater = false
      for (const revision of legacyRevisions.toReversed()) {
        const accepts = official.get(`${revision} ${name}`)
        if (revision < since || accepts === undefined) continue
        const isLegal = accepts(repaired(value, looserThanOfficial))
        compared++
        if (problem === undefined) {
          // The model is the union of the revisions: what a later one allows is taken from an older peer too.
          isLegalLater ||= isLegal
          expect.soft(isLegalLater, `accepted: ${JSON.stringify(value)}`).toBe(true)
          if (!accepts(value))
            for (const one of needed(looserThanOfficial, accepts, value)) used.add(one)
        } else if (isLegal) {
          const difference = stricterThanOfficial.find(({ covers }) => covers(name, problem))
          const text = `${describeProblem(problem)}: ${JSON.stringify(value)}`
          expect.soft(difference, `refused under ${revision}: ${text}`).toBeDefined()
          if (difference !== undefined) used.add(difference)
        }
      }
    }
    expect(compared).toBeGreaterThan(mutationsForSchemas)
  })

  test.each([...looserThanOfficial, ...stricterThanOfficial])(
    'still differs: $reason',
    (difference) => {
      expect(used).toContain(difference)
    },
  )
})

describe('against the Zod schemas of the official SDK', () => {
  const known: Readonly<Record<string, unknown>> = zodSchemas
  const looser = [...looserThanOfficial, ...looserThanZod]
  const stricter = [...stricterThanOfficial, ...stricterThanZod]
  const used = new Set<Looser | Stricter>()

  test.each(cases.filter(([, { zod }]) => zod !== undefined))(
    'agrees about %s [BASE-24]',
    (name, message) => {
      const accepts = acceptsOf(known[message.zod ?? ''])
      for (const { value } of mutations(message, mutationsPerSample)) {
        const problem = message.check(value)
        const isLegal = accepts(repaired(value, looser))
        if (problem === undefined) {
          expect.soft(isLegal, `accepted: ${JSON.stringify(value)}`).toBe(true)
          if (!accepts(value)) for (const one of needed(looser, accepts, value)) used.add(one)
        } else if (isLegal) {
          const difference = stricter.find(({ covers }) => covers(name, problem))
          const text = `${describeProblem(problem)}: ${JSON.stringify(value)}`
          expect.soft(difference, `refused: ${text}`).toBeDefined()
          if (difference !== undefined) used.add(difference)
        }
      }
    },
  )

  test.each([...looserThanZod, ...stricterThanZod])('still differs: $reason', (difference) => {
    expect(used).toContain(difference)
  })
})

/** Every sample as it is, then changed; the same ones in every run. */
function* mutations(
  { samples }: MessageCase,
  perSample: number,
): Generator<{ value: unknown; since: string }> {
  const random = createRandom(20_251_125)
  for (const [since, values] of Object.entries(samples)) {
    for (const sample of values) {
      yield { value: sample, since }
      for (let count = 0; count < perSample; count++) {
        yield { value: mutate(sample, random), since }
      }
    }
  }
}

/** The differences without whose repair a message would still be refused. */
function needed(differences: readonly Looser[], accepts: Accepts, value: unknown): Looser[] {
  return differences.filter(
    (difference) =>
      !accepts(
        repaired(
          value,
          differences.filter((other) => other !== difference),
        ),
      ),
  )
}

function compileOfficialSchemas(): Map<string, Accepts> {
  const compiled = new Map<string, Accepts>()
  for (const revision of legacyRevisions) {
    const schema = readOfficialSchema(revision)
    const place = schema.$defs ? '$defs' : 'definitions'
    const ajv = new (place === '$defs' ? Ajv2020 : Ajv)({ strict: false, validateFormats: false })
    ajv.addSchema(schema, revision)
    for (const [name, { official }] of cases) {
      const [definition = ''] = official.split('/')
      if (!(definition in (schema[place] ?? {}))) continue
      const validate = ajv.compile({ $ref: `${revision}#/${place}/${official}` })
      compiled.set(`${revision} ${name}`, (value) => validate(value))
    }
  }
  return compiled
}

function acceptsOf(schema: unknown): Accepts {
  const { safeParse } = schema as { safeParse(value: unknown): { success: boolean } } // every Zod schema has it
  return (value) => safeParse(value).success
}
