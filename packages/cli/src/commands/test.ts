import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'

import type { Command } from 'commander'

import { findCollections, type FoundCollection } from '../collections/find-collections.ts'
import {
  reporterNames,
  reporters,
  failuresOf,
  type ReporterName,
} from '../collections/reporters.ts'
import { runCollections } from '../collections/run-collections.ts'
import type { TestedCollection } from '../collections/tested.ts'
import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, collect, readPair, type CommonFlags } from '../flags.ts'
import { counted, createPrinter } from '../output/printer.ts'
import { createInputRequests, type QuestionFlags } from '../questions/answers.ts'
import { addQuestionFlags } from '../questions/question-flags.ts'

interface TestFlags extends CommonFlags, QuestionFlags {
  readonly json?: boolean | undefined
  readonly reporter?: string | undefined
  readonly output?: string | undefined
  readonly var?: readonly string[] | undefined
}

/** Names of files may look like flags. */
export const dashes = 'words-first'

/** `parley test` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'test',
    'Runs collections that were saved in the inspector: requests with expected answers.',
    [
      ['parley test smoke.collection.json', 'each request at the server it names'],
      ['parley test tests -- node server.js', 'all collections in a folder, at this server'],
      ['parley test tests https://example.com/mcp --var city=Oslo', 'at a URL, with a variable'],
      ['parley test tests --reporter junit -o report.xml', 'for continuous integration'],
    ],
  )
  addTargetFlags(command)
    .argument('<words...>', 'files and folders of collections; a URL for a server')
    .usage('<file | folder>... [url] [options] [-- command]')
    .option('--reporter <name>', reporterNames.join(', '))
    .option('-o, --output <file>', 'the file for the report (default: standard output)')
    .option('--var <pair>', 'a variable of the collections, name=value; may be repeated', collect)
  return addQuestionFlags(command).action(async (words: readonly string[], flags: TestFlags) => {
    await test(words, flags, context)
  })
}

async function test(
  words: readonly string[],
  flags: TestFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const reporter = reporters[reporterOf(flags)]
  const urls = words.filter(isUrl)
  if (urls.length > 1) throw new CliError('error', `only one server is allowed: ${urls.join(', ')}`)
  const found = await findCollections(
    words.filter((word) => !isUrl(word)),
    io.cwd,
  )
  const [word] = urls
  requireOneTrace(found, flags, word !== undefined || context.serverCommand !== undefined)
  const variables = Object.fromEntries((flags.var ?? []).map((pair) => readPair(pair, '--var')))
  requireKnown(Object.keys(variables), found)
  const { options: more } = await createInputRequests(flags, io)
  const file =
    flags.output === undefined ? undefined : createWriteStream(resolve(io.cwd, flags.output))
  const printer = createPrinter(file === undefined ? io : { ...io, stdout: file }, flags)
  const all: TestedCollection[] = []
  for await (const tested of runCollections(found, { word, variables, more }, flags, context)) {
    all.push(tested)
    reporter.each?.(tested, printer)
  }
  reporter.end(all, printer)
  if (file !== undefined) await new Promise<void>((resolved) => file.end(resolved))
  const failed = failuresOf(all).length
  if (failed > 0) throw new CliError('assertion_failed', `${counted(failed, 'request')} failed`)
}

function isUrl(word: string): boolean {
  return /^(?:https?|wss?):\/\//i.test(word)
}

function reporterOf({ reporter, json }: TestFlags): ReporterName {
  if (reporter === undefined) return json === true ? 'json' : 'text'
  const name = reporterNames.find((each) => each === reporter)
  if (name !== undefined) return name
  throw new CliError('error', `--reporter ${reporter} is unknown`, {
    hint: `Use ${reporterNames.join(', ')}.`,
  })
}

/** A misspelt variable would change nothing, and nobody would see it. */
function requireKnown(names: readonly string[], found: readonly FoundCollection[]): void {
  const existing = new Set(found.flatMap(({ collection }) => Object.keys(collection.variables)))
  const unknown = names.find((name) => !existing.has(name))
  if (unknown === undefined) return
  throw new CliError('error', `no collection has the variable ${JSON.stringify(unknown)}`, {
    hint: existing.size === 0 ? undefined : `Known: ${[...existing].join(', ')}.`,
  })
}

/** A file holds one connection. */
function requireOneTrace(
  found: readonly FoundCollection[],
  { trace, server }: TestFlags,
  isOne: boolean,
): void {
  if (trace === undefined || server !== undefined || isOne) return
  const names = found.flatMap(({ collection }) => collection.requests.map((each) => each.server))
  const servers = [...new Set(names)]
  if (servers.length < 2) return
  throw new CliError('error', `--trace needs a single server, not ${servers.join(', ')}`)
}
