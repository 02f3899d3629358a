import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'

import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { counted, createPrinter } from '../output/printer.ts'
import { defineTools } from './define-tools.ts'
import { parseSource } from './parse-source.ts'
import { firstWords, writeDefinitions } from './write-definitions.ts'

/** Where from and where to. */
export interface DefineFlags extends CommonFlags {
  readonly tools?: string | undefined
  readonly out?: string | undefined
  readonly check?: boolean | undefined
  readonly force?: boolean | undefined
}

/** Writes definitions of the tools whose functions a file exports. Nothing of the file is run. */
export async function writeToolDefinitions(flags: DefineFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  const from = flags.tools ?? ''
  const text = await readFile(resolve(io.cwd, from), 'utf8').catch((error: unknown) => {
    throw new CliError('error', `${from} cannot be read`, { cause: error })
  })
  const { tools, refused } = defineTools(await parseSource(from, text))
  if (refused.length > 0) {
    throw new CliError('invalid', refused.join('\n'), {
      hint: 'Use strings, numbers, booleans, null, literals, unions, arrays, Record<string, T>, and objects and types of this file; or do not export the function.',
      details: { refused },
    })
  }
  if (tools.length === 0) {
    throw new CliError('error', `${from} exports no function`, {
      hint: 'Each exported function becomes a tool: export async function forecast(input: { city: string }) { … }',
    })
  }
  const out = flags.out ?? from.replace(/\.([cm]?)tsx?$/, '.tools.$1ts')
  const file = resolve(io.cwd, out)
  const wanted = writeDefinitions(tools, importPath(file, resolve(io.cwd, from)))
  const there = await readFile(file, 'utf8').catch(() => undefined)
  if (flags.check === true) {
    if (there === wanted) return printer.note('nothing has changed')
    throw new CliError('assertion_failed', `${out} does not match ${from}`, {
      hint: 'Write it again: the same command without --check.',
    })
  }
  if (there !== undefined && !there.startsWith(firstWords) && flags.force !== true) {
    throw new CliError('error', `${out} was not written by \`parley types --tools\``, {
      hint: 'Name another file with --out FILE, or replace it with --force.',
    })
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, wanted)
  if (printer.isJson) return printer.json({ file, tools: tools.map(({ name }) => name) })
  printer.line(`${file}: ${counted(tools.length, 'tool')}`)
  const [{ name } = { name: 'name' }] = tools
  printer.note(`use it: server.tool('${name}', tools.${name}, ${name})`)
}

/** Every way to resolve modules finds the types of `tools.ts` by `./tools.js`. */
function importPath(from: string, to: string): string {
  const way = relative(dirname(from), to)
    .split(sep)
    .join('/')
    .replace(/\.([cm]?)tsx?$/, '.$1js')
  return way.startsWith('.') ? way : `./${way}`
}
