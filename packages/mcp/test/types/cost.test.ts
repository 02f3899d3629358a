import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

const run = promisify(execFile)
const here = dirname(fileURLToPath(import.meta.url))
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
)
const tools = 200

/** Four fields each, half of them with an output schema; what reads and what writes differs. */
function schemasOf(index: number): string {
  const output =
    index % 2 === 0
      ? ''
      : `
const output${index} = z.object({ total${index}: z.number(), names: z.array(z.string()) })`
  return `
const input${index} = z.object({
  city${index}: z.string(),
  days: z.number().int().default(1),
  units: z.enum(['metric', 'imperial']).optional(),
  tags: z.array(z.string()),
})${output}`
}

function bodyOf(index: number): string {
  const used = `args.city${index}.length + args.days + args.tags.length`
  return index % 2 === 0 ? `String(${used})` : `({ total${index}: ${used}, names: args.tags })`
}

function throughServer(index: number): string {
  const output = index % 2 === 0 ? '' : `, outputSchema: output${index}`
  return `${schemasOf(index)}
server.tool('tool_${index}', { inputSchema: input${index}${output} }, (args) => ${bodyOf(index)})`
}

function byHand(index: number): string {
  const returned = index % 2 === 0 ? 'string' : `z.input<typeof output${index}>`
  return `${schemasOf(index)}
handlers.push(((args: z.output<typeof input${index}>): ${returned} => ${bodyOf(index)}) as never)`
}

async function countInstantiations(folder: string, name: string, source: string): Promise<number> {
  const file = join(folder, `${name}.ts`)
  await writeFile(file, source)
  const project = join(folder, `tsconfig.${name}.json`)
  const options = {
    extends: join(here, '../../../../tsconfig.test.json'),
    compilerOptions: { types: ['node'] },
    files: [file],
  }
  await writeFile(project, JSON.stringify(options))
  const { stdout } = await run(process.execPath, [compiler, '-p', project, '--extendedDiagnostics'])
  const [, count] = /^Instantiations:\s+(\d+)/m.exec(stdout) ?? []
  if (count === undefined) throw new Error(`no count of instantiations in:\n${stdout}`)
  return Number(count)
}

test('two hundred tools cost the compiler at most half more than types written by hand', async () => {
  // Beside this file, so that packages are found from there.
  const folder = await mkdtemp(join(here, '.cost-'))
  try {
    const indices = Array.from({ length: tools }, (_, index) => index)
    const zod = "import { z } from 'zod'\nexport const used = z.string()\n"
    const sdk = `import { createServer } from '../../../src/entry/server.ts'
export const server = createServer({ name: 'cost', version: '1' })\n`
    const list = 'export const handlers: (() => unknown)[] = []\n'

    const hand = await countInstantiations(
      folder,
      'hand',
      zod + list + indices.map(byHand).join(''),
    )
    const all = await countInstantiations(
      folder,
      'ours',
      zod + sdk + indices.map(throughServer).join(''),
    )
    // Our own sources, which users have as declarations that are not checked again.
    const own = await countInstantiations(folder, 'own', zod + sdk)

    expect(hand).toBeGreaterThan(10_000)
    expect((all - own) / hand, JSON.stringify({ hand, all, own })).toBeLessThanOrEqual(1.5)
  } finally {
    await rm(folder, { recursive: true })
  }
})
