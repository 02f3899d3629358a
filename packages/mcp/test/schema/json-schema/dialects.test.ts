import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { compileJsonSchema } from '../../../src/schema/json-schema/compile.ts'

const page = readFileSync(new URL('../../../../../docs/schemas.md', import.meta.url), 'utf8')

test.each([
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ['2019-09', 'https://json-schema.org/draft/2019-09/schema'],
  ['draft-07', 'http://json-schema.org/draft-07/schema#'],
  ['draft-06', 'http://json-schema.org/draft-06/schema#'],
  ['draft-04', 'http://json-schema.org/draft-04/schema#'],
])('%s is spoken, and the documentation says so [N11-JSCH-06]', (name, $schema) => {
  expect(() => compileJsonSchema({ $schema, type: 'object' })).not.toThrow()
  expect(page).toContain(name)
})
