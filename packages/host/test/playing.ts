import { readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import {
  createHost,
  type Consent,
  type ConsentDecision,
  type Host,
  type HostOptions,
  type HostServer,
  type ProposedCall,
  type TurnEvent,
} from '@parley/host'
import { createScriptedModel, type ScriptedTurn } from '@parley/host/models'
import { connect } from '@parley/mcp/client'
import type { Server } from '@parley/mcp/server'
import { onTestFinished } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'

/** A definition of this process as a server of the host. */
export function inProcess(
  name: string,
  server: Server,
  more: Partial<HostServer> = {},
): HostServer {
  return { name, target: { open: (options) => connect(server, options), hash: name }, ...more }
}

/** The server that does what no server should, as a child, and what it heard. */
export function poisoned(
  name: string,
  ...modes: readonly string[]
): HostServer & { readonly received: () => readonly string[] } {
  const log = `${folderWith({ log: '' })}/log`
  const file = fileURLToPath(new URL('fixtures/poisoned-server.mjs', import.meta.url))
  const target = { command: execPath, args: [file, `log=${log}`, ...modes] }
  return { name, target, received: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) }
}

/** Decides by a function, and remembers what it was asked. */
export function consentBy(
  decide: (call: ProposedCall) => ConsentDecision = () => ({ decision: 'allow', rule: 'test' }),
): Consent & { readonly asked: (readonly ProposedCall[])[] } {
  const asked: (readonly ProposedCall[])[] = []
  return {
    asked,
    decide: async (calls) => {
      asked.push(calls)
      return calls.map(decide)
    },
  }
}

/** A host that is closed after the test. */
export function testHost(
  script: readonly ScriptedTurn[] | ScriptedTurn,
  servers: readonly HostServer[],
  more: Partial<HostOptions> = {},
): Host & { readonly model: ReturnType<typeof createScriptedModel> } {
  const model = createScriptedModel(script, { announcement: '' })
  const host = createHost({
    servers,
    model,
    consent: consentBy(),
    timeouts: { startMs: 30_000 },
    ...more,
  })
  onTestFinished(() => host.close(), 60_000)
  return Object.assign(host, { model })
}

/** All events of a turn. */
export async function play(events: AsyncIterable<TurnEvent>): Promise<readonly TurnEvent[]> {
  const seen: TurnEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

/** Those of one kind. */
export function of<Type extends TurnEvent['type']>(
  events: readonly TurnEvent[],
  type: Type,
): readonly Extract<TurnEvent, { type: Type }>[] {
  return events.filter((event) => event.type === type) as Extract<TurnEvent, { type: Type }>[] // just compared
}

/** A scripted call, by the names of server and tool. */
export function call(name: string, args: object = {}): ScriptedTurn {
  return { calls: [{ name, arguments: args as Record<string, string> }] }
}
