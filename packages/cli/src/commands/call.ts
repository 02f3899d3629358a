import { isRpcError, type JsonSchema, type Tool } from '@parley/mcp'
import type { Client, ToolCallResult } from '@parley/mcp/client'
import { findProgram } from '@parley/mcp/system'
import type { Command } from 'commander'

import { parseAssertion } from '../call/assertion.ts'
import { finishCall, type FinishFlags } from '../call/finish-call.ts'
import { invalid } from '../call/invalid.ts'
import { saveMedia } from '../call/save-media.ts'
import { fitToSchema, readToolArguments, type ToolArguments } from '../call/tool-arguments.ts'
import { usageHint } from '../call/usage-hint.ts'
import { newCommand, type CommandContext } from '../command.ts'
import { withServer, type Connection } from '../connection.ts'
import { hintFor } from '../did-you-mean.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, collect } from '../flags.ts'
import type { Printer } from '../output/printer.ts'
import { createInputRequests, type QuestionFlags } from '../questions/answers.ts'
import { addQuestionFlags } from '../questions/question-flags.ts'
import { schemaIssues } from '../schema-issues.ts'
import { resolveTarget, splitTarget, wordsBehindDashes } from '../target/target.ts'

interface CallFlags extends FinishFlags, QuestionFlags {
  readonly asTask?: boolean | undefined
  readonly output?: string | undefined
  readonly assert?: readonly string[] | undefined
}

/** Names of a server may look like flags. */
export const dashes = 'words-first'

/** `parley call` */
export function build(context: CommandContext): Command {
  const command = newCommand('call', 'Calls a tool and prints its result.', [
    [
      'parley call https://example.com/mcp echo message=hello',
      'arguments as text; the schema says which are numbers',
    ],
    ['parley call files search path:=\'["a","b"]\'', 'an argument as JSON'],
    [
      'parley call files write text@notes.md path=/tmp/n -- node server.js',
      'an argument from a file',
    ],
    ['echo \'{"a":1,"b":2}\' | parley call calc add -', 'all arguments from standard input'],
    [
      'parley call calc add a=1 b=2 --assert "structuredContent.sum == 3"',
      'fails with 7 otherwise',
    ],
    ['parley call camera shoot -o photo.png', 'saves the image'],
    ['parley call trips book --answer answers.json', 'answers what the server asks'],
  ])
  addTargetFlags(command)
    .argument('[words...]', 'target, tool, arguments')
    .usage('[target] <tool> [key=value | key:=json | key@file | -]... [options] [-- command]')
    .option('--as-task', 'run it as a task where the server supports tasks, and follow it')
    .option('--expect-success', 'print an error result to standard error')
    .option(
      '--assert <expression>',
      'a condition that the result must meet; may be repeated',
      collect,
    )
    .option('-o, --output <place>', 'save images, audio and embedded files to this file or folder')
    .option('--validate', 'check arguments and result against the schemas of the tool')
  return addQuestionFlags(command).action(async (words: readonly string[], flags: CallFlags) => {
    const { word, rest } = splitTarget(words, flags, context)
    const [tool, ...pairs] = rest
    if (tool === undefined) return listTools(word, flags, context)
    const behind = await commandWithoutTool(word, flags, context)
    if (behind !== undefined) {
      return listTools(undefined, flags, { ...context, serverCommand: behind })
    }
    const assertions = (flags.assert ?? []).map(parseAssertion)
    const input = await readToolArguments(pairs, context.io)
    const questions = await createInputRequests(flags, context.io)
    const work = async (connection: Connection) => {
      const { result, latencyMs, hint } = await callTool(tool, input, flags, connection).catch(
        (error: unknown) => {
          if (questions.unanswered.length > 0) throw inputNeeded(questions.unanswered)
          const rejection = questions.rejected()
          if (rejection === undefined) throw error
          throw new CliError('tool_error', `${tool} failed: it needs ${rejection}`, {
            cause: error,
          })
        },
      )
      connection.endProgress()
      if (flags.output !== undefined && result.isError !== true) {
        for (const file of await saveMedia(result.content, flags.output, context.io)) {
          connection.printer.note(`wrote ${file}`)
        }
      }
      if (questions.unanswered.length > 0) throw inputNeeded(questions.unanswered)
      finishCall(result, { tool, latencyMs, assertions, flags, hint }, context)
    }
    await withServer(word, flags, context, work, questions.options)
  })
}

/** No tool was named: these there are. */
async function listTools(
  word: string | undefined,
  flags: CallFlags,
  context: CommandContext,
): Promise<void> {
  const { showTools } = await import('./list.ts')
  const show = async (connection: Connection) => {
    await showTools(connection)
    connection.printer.note(
      'name one: parley call TARGET TOOL key=value, or TOOL key=value -- COMMAND',
    )
  }
  await withServer(word, flags, context, show)
}

/** `parley call -- node server.js`: what no server is called by is the command of one. */
async function commandWithoutTool(
  word: string | undefined,
  flags: CallFlags,
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const words = wordsBehindDashes(word, context)
  if (words === undefined) return undefined
  try {
    await resolveTarget(word, flags, context)
    return undefined
  } catch (error) {
    const [program = ''] = words
    const { env, cwd } = context.io
    if (findProgram(program, { env, cwd }).kind === 'missing') throw error
    return words
  }
}

async function callTool(
  name: string,
  input: ToolArguments,
  flags: CallFlags,
  { client, call, printer }: Connection,
): Promise<Called> {
  const needsSchema = input.plain.size > 0 || flags.validate
  const tool = needsSchema ? await findTool(name, client, call.signal) : undefined
  const args = fitToSchema(input, tool?.inputSchema)
  if (flags.validate) checkArguments(args, tool?.inputSchema)
  const usage = async () => usageHint(tool ?? (await findTool(name, client, call.signal)), args)
  const start = performance.now()
  const calling = flags.asTask
    ? runTask(client, name, args, call, printer)
    : client.callTool(name, args, call)
  const result = await calling.catch(async (error: unknown) => {
    // Servers refuse a tool that is not there in the words for bad arguments.
    if (!isRpcError(error, 'invalid_params')) throw error
    throw new CliError('error', error.message, { hint: await usage(), cause: error })
  })
  const latencyMs = performance.now() - start
  return { result, latencyMs, hint: result.isError ? await usage() : undefined }
}

interface Called {
  readonly result: ToolCallResult
  readonly latencyMs: number
  /** How the tool is called, where that may be why it failed. */
  readonly hint: string | undefined
}

/** The official CLI's code for a tool that is not there is the one for a tool that failed. */
async function findTool(name: string, client: Client, signal: AbortSignal): Promise<Tool> {
  const tools = await client.listTools({ signal }).toArray()
  const found = tools.find((tool) => tool.name === name)
  if (found !== undefined) return found
  const names = tools.map((tool) => tool.name)
  throw new CliError('tool_error', `unknown tool ${JSON.stringify(name)}`, {
    hint: hintFor(name, names),
  })
}

async function runTask(
  client: Client,
  name: string,
  args: object,
  call: Connection['call'],
  printer: Printer,
): Promise<ToolCallResult> {
  const { startTool } = await import('../questions/client-tasks.ts')
  const started = await startTool(client, name, args, call)
  if (started.kind === 'result') {
    printer.note('The server did not run it as a task.')
    return started.result
  }
  printer.note(`task ${started.task.taskId}`)
  return started.task.result({ signal: call.signal })
}

function checkArguments(args: object, schema: JsonSchema | undefined): void {
  const issues = schema === undefined ? [] : schemaIssues(schema, args)
  if (issues.length > 0) throw invalid('the arguments do not match the input schema', issues)
}

function inputNeeded(messages: readonly string[]): CliError {
  return new CliError('input_required', `the server asked: ${messages.join(' / ')}`, {
    hint: 'Use --answer FILE, --decline, or a terminal with --interactive.',
  })
}
