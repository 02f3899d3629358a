import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { isRpcError, type ResourceContents } from '@parley/mcp'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer } from '../connection.ts'
import { hintFor } from '../did-you-mean.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { printContents } from '../output/content.ts'
import { splitTarget } from '../target/target.ts'

interface ReadFlags extends CommonFlags {
  readonly output?: string | undefined
  readonly raw?: boolean | undefined
}

/** Names of a server may look like flags. */
export const dashes = 'words-first'

/** `parley read` */
export function build(context: CommandContext): Command {
  const command = newCommand('read', 'Reads a resource.', [
    ['parley read files file:///tmp/notes.txt', 'with control characters made visible'],
    ['parley read files file:///tmp/a.png --output a.png', 'unchanged, into a file'],
    ['parley read files file:///tmp/a.csv --raw | sort', 'unchanged, to another program'],
  ])
  return addTargetFlags(command)
    .argument('[words...]', 'target, URI')
    .usage('[target] <uri> [options] [-- command]')
    .option('-o, --output <file>', 'write it to a file, unchanged')
    .option('--raw', 'print it unchanged; standard output must not be a terminal')
    .action(async (words: readonly string[], flags: ReadFlags) => {
      const { word, rest } = splitTarget(words, flags, context)
      const [uri, ...more] = rest
      if (uri === undefined || more.length > 0) {
        throw new CliError('error', 'name one URI', { hint: 'parley read TARGET URI' })
      }
      const { io } = context
      if (flags.raw && io.stdout.isTTY) {
        throw new CliError('error', '--raw does not write to a terminal', {
          hint: 'What a server sends could take control of it. Use --output FILE or a pipe.',
        })
      }
      await withServer(word, flags, context, async ({ client, printer, call: { signal } }) => {
        const result = await client.readResource(uri, { signal }).catch(async (error: unknown) => {
          if (!isRpcError(error, 'resource_not_found')) throw error
          const uris = (await client.listResources({ signal }).toArray()).map((each) => each.uri)
          throw new CliError('error', error.message, { hint: hintFor(uri, uris), cause: error })
        })
        const { contents } = result
        if (flags.output !== undefined) {
          await writeFile(resolve(io.cwd, flags.output), bytesOf(contents))
          printer.note(`wrote ${flags.output}`)
        } else if (flags.raw) io.stdout.write(bytesOf(contents))
        else if (printer.isJson) printer.json(result)
        else printContents(contents, printer)
      })
    })
}

function bytesOf(contents: readonly ResourceContents[]): Buffer {
  return Buffer.concat(
    contents.map((each) =>
      'text' in each ? Buffer.from(each.text) : Buffer.from(each.blob, 'base64'),
    ),
  )
}
