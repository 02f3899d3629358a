import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../run.mjs', import.meta.url))
const bench = (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args])

for (const name of ['stdio-64', 'memory', 'client-stdio-64']) {
  test(`a tiny round of ${name} yields finite figures for the floor`, async () => {
    const options = ['--rounds', '1', '--operations', '50', '--only', 'floor', '--json']
    const { stdout } = await bench(name, ...options)

    const { results } = JSON.parse(stdout)
    const [{ rows, verdicts }] = results
    expect(rows).toHaveLength(1)
    const { cpuMicros, p50Micros, p99Micros, perSecond } = rows[0].figures
    for (const figure of [cpuMicros, p50Micros, p99Micros, perSecond]) {
      expect(figure).toBeGreaterThan(0)
      expect(figure).toBeLessThan(Infinity)
    }
    // Without us in the run there is nothing to compare, and nothing is claimed.
    for (const verdict of verdicts) expect(verdict).not.toHaveProperty('holds')
  })
}

test('an unknown case is refused with the names there are', async () => {
  await expect(bench('stdio-65')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown case 'stdio-65'; there are stdio-64, stdio-1"),
  })
})

test('a partial run cannot overwrite the page of figures', async () => {
  await expect(bench('memory', '--write')).rejects.toMatchObject({ code: 2 })
})
