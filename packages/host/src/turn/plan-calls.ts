import { plainName } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { readResultTool } from '../context/kept-results.ts'
import { hasResources, readResource } from '../context/read-resource.ts'
import type { ModelCall } from '../models/model.ts'
import type { ServerCall } from './make-calls.ts'
import type { NoticeCode } from './turn-event.ts'
import type { TurnContext } from './turn-parts.ts'

/** The plan for a call that the model asks for. */
export type PlannedCall =
  /** A server is to be called, if that is allowed. */
  | (ServerCall & { readonly kind: 'server'; readonly call: ModelCall })
  /** A program is to be run, whose calls are decided one by one. */
  | { readonly kind: 'program'; readonly call: ModelCall; readonly source: string }
  /** The host answers by itself; no server learns of it. */
  | {
      readonly kind: 'own'
      readonly call: ModelCall
      readonly text: string
      readonly isError: boolean
      readonly server?: string | undefined
      readonly tool: string
      readonly notice?: NoticeCode | undefined
    }

/** Finds the tool and reads the arguments. Total: what is wrong becomes an answer that helps the model. */
export async function planCall(call: ModelCall, parts: TurnContext): Promise<PlannedCall> {
  const args = readArguments(call.argumentsText)
  if (call.name === readResultTool.name && parts.stored.size > 0) {
    return own(call, args === undefined ? malformed(call) : parts.stored.read(args))
  }
  if (call.name === readResource.name && parts.registry.find(call.name) === undefined) {
    return planRead(call, args, parts)
  }
  const answered = args && (await parts.selection.answer(call.name, args))
  if (answered?.kind === 'text') return own(call, answered)
  if (answered?.kind === 'program') return { kind: 'program', call, source: answered.source }
  const name = answered?.kind === 'call' ? answered.name : call.name
  const given = answered?.kind === 'call' ? answered.arguments : args
  const registered = parts.registry.find(name)
  if (registered === undefined) {
    return { ...own(call, unknownTool(name, parts)), tool: name, notice: 'unknown-tool' }
  }
  if (given === undefined) {
    const { connection, tool } = registered
    const whose = { server: connection.server.name, tool: tool.name }
    return { ...own(call, malformed(call)), ...whose, notice: 'malformed-arguments' }
  }
  return serverCall(call, registered, given)
}

function planRead(
  call: ModelCall,
  args: JsonObject | undefined,
  { connections }: TurnContext,
): PlannedCall {
  if (args === undefined) return own(call, malformed(call))
  const { server, uri } = args
  const able = connections.filter(hasResources)
  const connection = able.find((one) => one.server.name === server)
  if (connection === undefined) {
    const names = able.map((one) => plainName(one.server.name)).join(', ')
    const wanted = typeof server === 'string' ? plainName(server) : JSON.stringify(server)
    const text = `no server ${wanted} has resources; there is: ${names || 'none'}`
    return own(call, { text, isError: true })
  }
  if (typeof uri !== 'string') {
    const text = 'nothing was read: uri must be a string, such as the one of a link'
    return own(call, { text, isError: true })
  }
  const registered = { name: readResource.name, connection, tool: readResource }
  return { ...serverCall(call, registered, { uri }), isRead: true }
}

function serverCall(
  call: ModelCall,
  registered: ServerCall['registered'],
  args: JsonObject,
): Extract<PlannedCall, { kind: 'server' }> {
  return { kind: 'server', call, id: call.id, by: 'model', registered, arguments: args }
}

function own(
  call: ModelCall,
  { text, isError }: { readonly text: string; readonly isError: boolean },
): Extract<PlannedCall, { kind: 'own' }> {
  return { kind: 'own', call, text, isError, tool: call.name }
}

/** Undefined unless it is an object. Many models write nothing for no arguments. */
function readArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function malformed({ name, argumentsText }: ModelCall) {
  const seen = argumentsText.slice(0, 200)
  const text = `${plainName(name)} was not called: its arguments must be one JSON object, and this is not: ${seen}`
  return { text, isError: true }
}

function unknownTool(name: string, { registry }: TurnContext) {
  const names = registry.enabled().map((one) => one.name)
  const near = names.filter((one) => one.endsWith(`__${name}`) || one.startsWith(`${name}_`))
  const meant = (near.length > 0 ? near : names).slice(0, 20).join(', ')
  return {
    text: `there is no tool ${plainName(name)}; there is: ${meant || 'none'}`,
    isError: true,
  }
}
