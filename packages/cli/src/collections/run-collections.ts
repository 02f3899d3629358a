import { performance } from 'node:perf_hooks'

import { runCollection, type Collection, type SendSaved } from '@parley/inspector'
import type { Client, ConnectOptions } from '@parley/mcp/client'

import type { CommandContext } from '../command.ts'
import { openConnection, type Connection } from '../connection.ts'
import { describeFailure } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import { resolveTarget } from '../target/target.ts'
import type { FoundCollection } from './find-collections.ts'
import { problemsOf, type TestedCollection } from './tested.ts'

/** How requests of collections reach their servers. */
export interface Play {
  /** The target for all of them, instead of the entry that each names. */
  readonly word?: string | undefined
  readonly variables: { readonly [name: string]: string }
  readonly more: ConnectOptions
}

/** Runs collections one after the other. Each server is connected once, when it is first needed. */
export async function* runCollections(
  found: readonly FoundCollection[],
  { word, variables, more }: Play,
  flags: CommonFlags,
  context: CommandContext,
): AsyncGenerator<TestedCollection> {
  const open = new Map<string, Promise<Connection & AsyncDisposable>>()
  const isOne = word !== undefined || flags.server !== undefined || context.serverCommand

  function connectionTo(server: string): Promise<Connection & AsyncDisposable> {
    const name = isOne ? '' : server
    const connection = open.get(name)
    if (connection !== undefined) return connection
    const opening = resolveTarget(isOne ? word : server, flags, context).then((target) =>
      openConnection(target, flags, context, more),
    )
    open.set(name, opening)
    return opening
  }

  const send: SendSaved = async ({ server, method, params }) => {
    let start = performance.now()
    const about = () => ({ run: '', durationMs: performance.now() - start })
    try {
      const { client, call } = await connectionTo(server)
      start = performance.now() // how long connecting took is not the answer's
      return { result: await request(client, method, params, call), ...about() }
    } catch (error) {
      context.io.signal.throwIfAborted()
      const { code, message, cause = code } = describeFailure(error)
      return { error: { code: cause, message }, ...about() }
    }
  }

  try {
    for (const { file, collection } of found) {
      yield await test(file, withVariables(collection, variables), send)
    }
  } finally {
    for (const opening of open.values()) {
      await opening.then((server) => server[Symbol.asyncDispose]()).catch(() => undefined) // said already
    }
  }
}

async function test(
  file: string,
  collection: Collection,
  send: SendSaved,
): Promise<TestedCollection> {
  const run = await runCollection(collection, send)
  const requests = collection.requests.flatMap(({ id, title, server, method }) => {
    const result = run.results.find(({ request: each }) => each === id)
    if (result === undefined) return []
    const { durationMs } = result.outcome
    return [{ title, server, method, durationMs, problems: problemsOf(result) }]
  })
  return { file, name: collection.name, requests, run }
}

/** Tools are called as a client does, with all that may happen on the way; everything else is sent as it is. */
async function request(
  client: Client,
  method: string,
  params: { readonly [name: string]: unknown },
  call: Connection['call'],
): Promise<{ readonly [name: string]: unknown }> {
  const { name, arguments: args } = params
  if (method !== 'tools/call' || typeof name !== 'string') {
    return client.request(method, params, call)
  }
  const input = typeof args === 'object' && args !== null ? args : {}
  const { issues: _, ...result } = await client.callTool(name, input, call)
  return result
}

function withVariables(collection: Collection, variables: Play['variables']): Collection {
  return { ...collection, variables: { ...collection.variables, ...variables } }
}
