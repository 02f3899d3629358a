import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'

import { safeText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer, type Connection } from '../connection.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { createInputRequests } from '../questions/answers.ts'
import { onlyTarget } from '../target/target.ts'
import { compareLocks, isLock, lockOf, type TypesLock } from '../types/lock.ts'
import { oneLine, surfaceOf } from '../types/surface.ts'
import { firstWords, writeTypes } from '../types/write-types.ts'

interface TypesFlags extends CommonFlags {
  readonly out?: string | undefined
  readonly check?: boolean | undefined
  readonly force?: boolean | undefined
}

/** `parley types` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'types',
    "Writes TypeScript types of a server's tools and prompts, and a lock file to detect later changes.",
    [
      ['parley types https://example.com/mcp --out src/notes.types.ts', 'writes them'],
      [
        'parley types https://example.com/mcp --out src/notes.types.ts --check',
        'fails if the server has changed',
      ],
    ],
  )
  return addTargetFlags(command)
    .argument('[words...]', 'target')
    .usage('[target] [options] [-- command]')
    .option('-o, --out <file>', 'the file to write (default: mcp.types.ts)')
    .option('-f, --force', 'replace a file that holds other types or your own code')
    .option('--check', 'write nothing; fail if the server differs from the lock file')
    .action(async (words: readonly string[], flags: TypesFlags) => {
      const word = onlyTarget(words, flags, context)
      const { options } = await createInputRequests(flags, context.io) // some tools are only for who can be asked
      const file = resolve(context.io.cwd, flags.out ?? 'mcp.types.ts')
      const lockFile = lockFileOf(file)
      const before = flags.check === true ? await readLock(lockFile) : undefined
      // A server that takes long to start would be read in an older revision, which has less.
      const era = flags.era ?? before?.revision
      const write = async ({ client, printer }: Connection) => {
        const surface = await surfaceOf(client)
        if (before !== undefined) {
          const changes = compareLocks(before, lockOf(surface))
          await requireTypes(file)
          if (printer.isJson) printer.json({ changes })
          else for (const change of changes) printer.line(safeText(change, { multiline: false }))
          if (changes.length === 0) return printer.note('nothing has changed')
          throw new CliError('assertion_failed', 'the server has changed', {
            hint: 'Write the types again: the same command without --check.',
          })
        }
        if (flags.force !== true) await requireOwn(file, lockFile, surface.server)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, writeTypes(surface))
        await writeFile(lockFile, `${JSON.stringify(lockOf(surface), undefined, 2)}\n`)
        const { tools, prompts } = surface
        if (printer.isJson)
          return printer.json({ file, lockFile, tools: tools.length, prompts: prompts.length })
        printer.line(`${file}: ${tools.length} tools, ${prompts.length} prompts`)
        printer.note(
          `use it: connect<Tools>(…), with import type { Tools } from './${basename(file)}'`,
        )
      }
      await withServer(word, { ...flags, era }, context, write, options)
    })
}

function lockFileOf(file: string): string {
  return `${file.replace(/\.[cm]?ts$/, '')}.lock.json`
}

/** Types of another server, and what we did not write, are not replaced unasked. */
async function requireOwn(file: string, lockFile: string, server: string): Promise<void> {
  const there = await readFile(file, 'utf8').catch(() => undefined)
  if (there === undefined) return
  const lock = await readLock(lockFile).catch(() => undefined)
  const isOurs = there.startsWith(firstWords)
  if (isOurs && (lock === undefined || lock.server === oneLine(server))) return
  const whose = isOurs ? `holds the types of ${lock?.server}` : 'was not written by `parley types`'
  throw new CliError('error', `${file} ${whose}`, {
    hint: 'Name another file with --out FILE, or replace it with --force.',
  })
}

async function requireTypes(file: string): Promise<void> {
  await access(file).catch((cause: unknown) => {
    throw new CliError('assertion_failed', `${file} is missing`, {
      hint: 'Write the types again: the same command without --check.',
      cause,
    })
  })
}

async function readLock(file: string): Promise<TypesLock> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isLock(value)) return value
  } catch {
    // said below
  }
  throw new CliError('error', `${file} is missing or damaged`, {
    hint: 'Write the types first: the same command without --check.',
  })
}
