import { argumentWords, parleyCommandLine } from '@parley/foundation/command-line'
import { safeJson } from '@parley/foundation/terminal'
import { toTestSource, type TraceRecord } from '@parley/foundation/trace'
import type { JsonObject } from '@parley/mcp'
import type { ServerEntry } from '@parley/mcp/client'

import type { Methods } from '../../protocol/index.ts'
import { ProblemError } from '../problem.ts'
import { argvOf, isCommand } from '../servers/entry-view.ts'
import { copyAsCurl } from './copy-as-curl.ts'

type Form = Methods['trace/copy']['params']['as']

/** A recorded request as text to paste. The records and the entry have their secrets masked; `http` carried it. */
export function copyAs(
  form: Form,
  record: TraceRecord,
  answer: TraceRecord | undefined,
  entry: ServerEntry | undefined,
  http?: TraceRecord,
): string {
  const message = record.message as JsonObject | undefined // of a record of kind message
  const { method, params } = message ?? {}
  if (form === 'json') return `${safeJson(record.message ?? record, 2)}\n`
  if (typeof method !== 'string' || message?.['id'] === undefined) {
    throw new ProblemError('not_a_request', `record ${record.seq} is not a request`)
  }
  const own = withoutMeta(params as JsonObject | undefined)
  switch (form) {
    case 'curl':
      return copyAsCurl(message, entry, record.revision, http)
    case 'cli':
      return commandLine(method, own, entry)
    case 'code':
      return code(method, own, entry)
    case 'test':
      return toTestSource(answer ? [record, answer] : [record], { target: targetSource(entry) })
  }
}

function commandLine(method: string, params: JsonObject, entry: ServerEntry | undefined): string {
  const hasCommand = entry !== undefined && isCommand(entry)
  const target = hasCommand ? [] : [entry === undefined ? 'SERVER' : entry.url]
  const command = commandFor(method, params)
  const line =
    command &&
    parleyCommandLine({
      command: command.name,
      words: [...target, ...command.words],
      serverCommand: hasCommand ? argvOf(entry) : undefined,
    })
  if (line !== undefined) return line
  throw new ProblemError('no_command', `there is no command line for this ${method}`, {
    hint: 'Copy it as code instead.',
  })
}

function commandFor(
  method: string,
  { name, uri, arguments: args }: JsonObject,
): { readonly name: string; readonly words: readonly string[] } | undefined {
  const words = argumentWords((args ?? {}) as JsonObject) // what a call has
  switch (method) {
    case 'tools/call':
      return { name: 'call', words: [textOf(name), ...words] }
    case 'resources/read':
      return { name: 'read', words: [textOf(uri)] }
    case 'prompts/get':
      return { name: 'prompt', words: [textOf(name), ...words] }
    case 'tools/list':
    case 'resources/list':
    case 'prompts/list':
      return { name: 'list', words: method.split('/').slice(0, 1) }
    case 'resources/templates/list':
      return { name: 'list', words: ['templates'] }
    case 'ping':
      return { name: 'ping', words: [] }
    default:
      return undefined
  }
}

function code(method: string, params: JsonObject, entry: ServerEntry | undefined): string {
  const { name, uri, arguments: args } = params
  const calls: { readonly [method: string]: string } = {
    'tools/call': `client.callTool(${safeJson(name)}, ${safeJson(args ?? {})})`,
    'resources/read': `client.readResource(${safeJson(uri)})`,
    'prompts/get': `client.getPrompt(${safeJson(name)}, ${safeJson(args ?? {})})`,
    'tools/list': 'client.listTools().toArray()',
    'resources/list': 'client.listResources().toArray()',
    'resources/templates/list': 'client.listResourceTemplates().toArray()',
    'prompts/list': 'client.listPrompts().toArray()',
    ping: 'client.ping()',
  }
  return [
    "import { connect } from '@parley/mcp/client'",
    '',
    `await using client = await connect(${targetSource(entry)})`,
    `const result = await ${calls[method] ?? `client.request(${safeJson(method)}, ${safeJson(params)})`}`,
    'console.log(result)',
    '',
  ].join('\n')
}

function targetSource(entry: ServerEntry | undefined): string {
  if (entry === undefined) return "'http://127.0.0.1:3001/mcp'"
  if (!isCommand(entry) && entry.headers === undefined && entry.type === undefined) {
    return safeJson(entry.url)
  }
  return safeJson(entry)
}

function withoutMeta(params: JsonObject = {}): JsonObject {
  const { _meta, ...rest } = params
  return rest
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
