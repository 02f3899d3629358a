import { readFile, writeFile } from 'node:fs/promises'
import { basename, relative } from 'node:path'

import { unifiedDiff } from '@parley/foundation/diff'
import { safeText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import { findSources } from '../migrate/find-sources.ts'
import { rewriteImports, rewriteManifest, type Rewritten } from '../migrate/rewrite-imports.ts'
import { counted, createPrinter, type Printer } from '../output/printer.ts'

interface MigrateFlags extends CommonFlags {
  readonly write?: boolean | undefined
}

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley migrate` */
export function build({ io }: CommandContext): Command {
  const command = newCommand(
    'migrate',
    'Imports @parley/compat instead of @modelcontextprotocol/sdk. Shows the changes; --write makes them.',
    [
      ['parley migrate src', 'shows what would change'],
      ['parley migrate --write', 'changes the sources and package.json here'],
    ],
  )
  return addOutputFlags(command)
    .argument('[paths...]', 'files and folders (default: this folder)')
    .option('-w, --write', 'change the files')
    .action(async (paths: readonly string[], { write = false, ...flags }: MigrateFlags) => {
      const printer = createPrinter(io, flags)
      const named = paths.length === 0 ? ['.'] : paths
      const rewritten = await rewriteFiles(await findSources(named, io.cwd), io.cwd)
      if (write) {
        for (const { file, before, text } of rewritten) {
          if (text !== before) await writeFile(file, text)
        }
      }
      if (printer.isJson) printJson(printer, rewritten, write)
      else printChanges(printer, rewritten, write)
      const left = rewritten.flatMap(({ locations }) => locations).length
      if (left === 0) return
      throw new CliError('invalid', `${counted(left, 'place')} left as it was`, {
        hint: 'Move them by hand: https://github.com/parley-mcp/parley/blob/main/docs/migrating.md',
      })
    })
}

interface RewrittenFile extends Rewritten {
  readonly file: string
  readonly name: string
  readonly before: string
}

/** The sources first: what they still import stays in `package.json`. */
async function rewriteFiles(
  files: readonly string[],
  cwd: string,
): Promise<readonly RewrittenFile[]> {
  const rewritten: RewrittenFile[] = []
  const isManifest = (file: string) => basename(file) === 'package.json'
  for (const file of [...files].toSorted((a, b) => Number(isManifest(a)) - Number(isManifest(b)))) {
    const before = await readFile(file, 'utf8')
    const isStillNeeded = rewritten.some(({ locations }) => locations.length > 0)
    const changed = isManifest(file)
      ? rewriteManifest(before, isStillNeeded)
      : rewriteImports(before)
    if (changed === undefined || (changed.edits === 0 && changed.locations.length === 0)) continue
    rewritten.push({ file, name: relative(cwd, file) || file, before, ...changed })
  }
  return rewritten
}

function printJson(
  printer: Printer,
  rewritten: readonly RewrittenFile[],
  isWritten: boolean,
): void {
  const files = rewritten.map(({ name, before, text, edits, locations }) => ({
    file: name,
    edits,
    places: locations,
    ...(!isWritten && { diff: unifiedDiff(name, before, text) }),
  }))
  printer.json({ written: isWritten, files })
}

function printChanges(
  printer: Printer,
  rewritten: readonly RewrittenFile[],
  isWritten: boolean,
): void {
  const { colors } = printer
  if (rewritten.length === 0) return printer.note('nothing imports the official SDK here')
  for (const { name, before, text } of isWritten ? [] : rewritten) {
    if (text === before) continue
    for (const line of unifiedDiff(name, before, text).split('\n')) {
      const shown = safeText(line, { multiline: false })
      const color = line.startsWith('+') ? colors.green : line.startsWith('-') ? colors.red : String
      printer.line(color(shown))
    }
  }
  for (const { name, locations } of rewritten) {
    for (const { line, message } of locations) {
      printer.line(`${name}:${line}: ${safeText(message, { multiline: false })}`)
    }
  }
  const edits = rewritten.reduce((sum, file) => sum + file.edits, 0)
  const left = rewritten.flatMap(({ locations }) => locations).length
  printer.line(
    `${counted(rewritten.length, 'file')}, ${counted(edits, 'edit')} ${isWritten ? 'made' : 'to make'}, ${counted(left, 'place')} left`,
  )
  if (!isWritten) printer.note('nothing was written: use --write')
}
