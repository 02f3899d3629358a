import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
)

/** Each line is a mistake, and what the compiler says about it, in the first or last line of its message. */
const mistakes: readonly [line: string, told: RegExp][] = [
  [
    "server.tool('t', { inputSchema: { city: z.string() } }, () => 'x')",
    /wrap it: inputSchema: z\.object/,
  ],
  [
    "server.tool('t', { outputSchema: { n: z.number() } }, () => 'x')",
    /wrap it: outputSchema: z\.object/,
  ],
  ["server.tool('t', {}, () => [{ celsius: 21 }])", /celsius: number/],
  [
    "server.tool('t', { outputSchema: z.object({ n: z.number() }) }, () => ({ n: 'x' }))",
    /'string' is not assignable to type 'number'/,
  ],
  [
    "await connect(server, { onElicit: () => ({ action: 'decline' }) })",
    /'onElicit' does not exist in type 'ConnectOptions'/,
  ],
  ["createServer({ name: 'x', version: '1' }, {})", /Expected 1 arguments, but got 2/],
]

test('the compiler names the fault, not a signature that does not fit', async () => {
  const folder = await mkdtemp(join(here, '.messages-')) // beside this file, so that packages are found from there
  try {
    const head = `import { connect } from '../../../src/entry/client.ts'
import { createServer } from '../../../src/entry/server.ts'
import { z } from 'zod'
const server = createServer({ name: 'x', version: '1' })
`
    await writeFile(
      join(folder, 'mistakes.ts'),
      head + mistakes.map(([line]) => `${line}\n`).join(''),
    )
    const settings = {
      extends: join(here, '../../../../tsconfig.test.json'),
      files: ['mistakes.ts'],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))

    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], (_, output) =>
        resolve(output),
      )
    })

    const byLine = new Map<number, string>()
    let line = 0
    for (const text of said.split('\n')) {
      const found = /mistakes\.ts\((\d+),/.exec(text)
      if (found) line = Number(found[1]) - head.split('\n').length
      byLine.set(line, `${byLine.get(line) ?? ''}${text}\n`)
    }
    for (const [index, [, told]] of mistakes.entries()) expect(byLine.get(index)).toMatch(told)
    expect(said).not.toContain('No overload')
  } finally {
    await rm(folder, { recursive: true })
  }
})
