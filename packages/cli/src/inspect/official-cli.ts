import type { LoggingLevel, Tool } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'

import { fitToSchema } from '../call/tool-arguments.ts'
import type { CommandContext } from '../command.ts'
import { withServer } from '../connection.ts'
import { CliError } from '../exit.ts'
import { readPair, type CommonFlags } from '../flags.ts'
import { createQuestions } from '../questions/answers.ts'
import { appInfo } from './app-info.ts'
import { readOfficialArguments, type OfficialArguments } from './official-arguments.ts'

/** Runs a command line of the official Inspector's CLI: one method, its result as JSON, its exit codes. */
export async function runOfficialCli(
  argv: readonly string[],
  context: CommandContext,
): Promise<void> {
  const given = readOfficialArguments(argv)
  const { target, values, lists, switches } = given
  const {
    '--server-url': url,
    '--config': config = values['--catalog'],
    '--server': server,
  } = values
  const [first = ''] = target
  const isUrl = /^(?:https?|wss?):\/\//i.test(first)
  const flags: CommonFlags = {
    json: true,
    config: config === undefined ? undefined : [config],
    server,
    env: lists['-e'],
    header: lists['--header'],
    cwd: values['--cwd'],
    transport: values['--transport'] === 'stdio' ? undefined : values['--transport'],
    era: values['--era'],
    timeout: values['--timeout'] === undefined ? undefined : Number(values['--timeout']),
    trace: values['--trace'],
  }
  const hasCommand = target.length > 0 && !isUrl
  const method = values['--method']
  if (method === undefined) {
    throw new CliError('error', 'no method was given', { hint: 'Add --method tools/list' })
  }
  const inner = { ...context, serverCommand: hasCommand ? target : undefined }
  const word = url ?? (isUrl ? first : undefined)
  const questions = await createQuestions({ json: true }, context.io)
  await withServer(
    word,
    flags,
    inner,
    async ({ client, printer }) => {
      if (switches.has('--app-info'))
        return printer.jsonLine(await appInfo(toolName(given), client))
      const result = await request(method, given, client)
      if (values['--format'] === 'jsonl') printer.jsonLine(result)
      else printer.json(result)
      if (method === 'tools/call' && result['isError'] === true) {
        throw new CliError('tool_error', `${values['--tool-name'] ?? 'the tool'} failed`)
      }
    },
    questions.options,
  )
}

type Result = { readonly [name: string]: unknown }

async function request(method: string, given: OfficialArguments, client: Client): Promise<Result> {
  const { values } = given
  const _meta = pairsOf(given, '--metadata')
  const options = Object.keys(_meta).length > 0 ? { _meta } : {}
  switch (method) {
    case 'tools/list':
      return { tools: await client.listTools(options).toArray() }
    case 'resources/list':
      return { resources: await client.listResources(options).toArray() }
    case 'resources/templates/list':
      return { resourceTemplates: await client.listResourceTemplates(options).toArray() }
    case 'prompts/list':
      return { prompts: await client.listPrompts(options).toArray() }
    case 'tools/call':
      return callTool(given, client, _meta)
    case 'resources/read':
      return { ...(await client.readResource(needed(values, '--uri', method), options)) }
    case 'prompts/get': {
      const args = pairsOf(given, '--prompt-args')
      return { ...(await client.getPrompt(needed(values, '--prompt-name', method), args, options)) }
    }
    case 'logging/setLevel':
      await client.setLoggingLevel(needed(values, '--log-level', method) as LoggingLevel) // the server refuses others
      return {}
    case 'ping':
      await client.ping(options)
      return {}
    default:
      return client.request(method, {}, options)
  }
}

async function callTool(
  given: OfficialArguments,
  client: Client,
  general: { readonly [name: string]: string },
): Promise<Result> {
  const name = toolName(given)
  const tool = await findTool(name, client)
  const _meta = { ...general, ...pairsOf(given, '--tool-metadata') }
  const whole = given.values['--tool-args-json']
  const args = whole === undefined ? fitted(pairsOf(given, '--tool-arg'), tool) : parseObject(whole)
  const { issues: _, ...result } = await client.callTool(name, args, {
    ...(Object.keys(_meta).length > 0 && { _meta }),
  })
  return { ...result }
}

/** By the tool's schema; where that says nothing, JSON is taken for JSON. */
function fitted(
  pairs: { readonly [name: string]: string },
  { inputSchema }: Tool,
): { readonly [name: string]: unknown } {
  const properties = inputSchema['properties'] ?? {}
  const known = fitToSchema({ values: pairs, plain: new Set(Object.keys(pairs)) }, inputSchema)
  return Object.fromEntries(
    Object.entries(known).map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? value : parsed(value),
    ]),
  )
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return value // a plain text
  }
}

function parseObject(text: string): object {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null) return value
  throw new CliError('error', '--tool-args-json needs a JSON object')
}

async function findTool(name: string, client: Client): Promise<Tool> {
  for await (const tool of client.listTools()) if (tool.name === name) return tool
  throw new CliError('tool_error', `unknown tool ${JSON.stringify(name)}`)
}

function toolName({ values }: OfficialArguments): string {
  return needed(values, '--tool-name', 'tools/call')
}

function needed(values: OfficialArguments['values'], flag: string, method: string): string {
  const value = values[flag]
  if (value !== undefined) return value
  throw new CliError('error', `${flag} is needed for ${method}`)
}

function pairsOf({ lists }: OfficialArguments, flag: string): { readonly [name: string]: string } {
  return Object.fromEntries((lists[flag] ?? []).map((pair) => readPair(pair, flag)))
}
