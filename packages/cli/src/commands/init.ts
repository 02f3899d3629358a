import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import { packageName } from '../init/package-name.ts'
import { createProject, projectKinds, type ProjectKind } from '../init/project.ts'
import { createPrinter } from '../output/printer.ts'

interface InitFlags extends CommonFlags {
  readonly kind: string
  readonly force?: boolean | undefined
}

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley init` */
export function build(context: CommandContext): Command {
  const command = newCommand('init', 'Creates a project that builds and passes its own test.', [
    ['parley init my-server', 'a server, in a new folder'],
    ['parley init my-client --kind client', 'a client'],
    ['parley init my-app --kind app', 'a server with a page that hosts show beside its results'],
  ])
  return addOutputFlags(command)
    .argument('[folder]', 'where to', '.')
    .option('--kind <kind>', 'server, client or app', 'server')
    .option('--force', 'write into a folder that is not empty; files of the same name are replaced')
    .action(async (folder: string, flags: InitFlags) => {
      const kind = kindOf(flags.kind)
      const path = resolve(context.io.cwd, folder)
      if (flags.force !== true) await requireEmpty(path)
      const project = createProject(kind, packageName(basename(path)))
      for (const [name, text] of project) {
        const file = join(path, name)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, text)
      }
      const printer = createPrinter(context.io, flags)
      if (printer.isJson)
        return printer.json({ folder: path, files: project.map(([name]) => name) })
      printer.line(`${path}: ${project.length} files`)
      const enter = folder === '.' ? '' : `cd ${quoted(folder)} && `
      printer.note(`next: ${enter}npm install && npm test`)
    })
}

function kindOf(text: string): ProjectKind {
  const kind = projectKinds.find((candidate) => candidate === text)
  if (kind !== undefined) return kind
  throw new CliError('error', `--kind ${text} is unknown`, {
    hint: 'Use server, client or app.',
  })
}

async function requireEmpty(path: string): Promise<void> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CliError('error', `${path} is not a folder`, { cause: error })
  })
  if (names.every((name) => name === '.git')) return
  throw new CliError('error', `${path} is not empty`, {
    hint: 'Name another folder, or use --force.',
  })
}

/** As a shell wants it. */
function quoted(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
