import { describe, expect, test } from 'vitest'

import { maxProgram, measureProgramInstall } from '../install-size.mjs'

describe('what npm i @parley/cli brings', () => {
  test('stays within its budget', async () => {
    const { packages, bytes } = await measureProgramInstall('packages/cli')

    expect(packages).toBeLessThanOrEqual(maxProgram.packages)
    expect(bytes).toBeLessThanOrEqual(maxProgram.bytes)
    expect(bytes).toBeGreaterThan(1_000_000)
  })
})
