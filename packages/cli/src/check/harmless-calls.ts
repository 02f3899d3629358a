import { performance } from 'node:perf_hooks'

import { member, type JsonObject } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import type { LegacyPeer } from './check.ts'

/** A tool that was called, and everything that came of it. */
export interface HarmlessCall {
  readonly tool: JsonObject
  readonly token: string
  readonly found: Exchange
}

/** All together must not take longer. */
const maxMs = 4_000
const callsByPeer = new WeakMap<LegacyPeer, Promise<readonly HarmlessCall[]>>()

/** Calls, once, the first tools that say they change nothing and need nothing. Those that take their time are left out. */
export function harmlessCalls(peer: LegacyPeer): Promise<readonly HarmlessCall[]> {
  const calls = callsByPeer.get(peer) ?? callAll(peer)
  callsByPeer.set(peer, calls)
  return calls
}

async function callAll(peer: LegacyPeer): Promise<readonly HarmlessCall[]> {
  const calls: HarmlessCall[] = []
  const startedAt = performance.now()
  for (const [at, tool] of (await harmlessTools(peer)).slice(0, 20).entries()) {
    const waitMs = Math.min(2_000, maxMs - (performance.now() - startedAt))
    if (waitMs <= 0) break
    const token = `parley-check-${at}`
    const params = { name: tool['name'] ?? '', arguments: {}, _meta: { progressToken: token } }
    const request = { jsonrpc: '2.0', id: token, method: 'tools/call', params }
    const found = await peer.send(request, { waitMs })
    if (found.ended === 'silence')
      await peer.notify('notifications/cancelled', { requestId: token })
    else calls.push({ tool, token, found })
  }
  return calls
}

export async function harmlessTools(peer: LegacyPeer): Promise<readonly JsonObject[]> {
  const tools = await peer.list('tools')
  return tools.filter((tool) => onlyReads(tool) && requiredOf(tool).length === 0)
}

/** Whether a tool says that it changes nothing. */
export function onlyReads(tool: JsonObject): boolean {
  return member(tool['annotations'], 'readOnlyHint') === true
}

/** The arguments a tool cannot do without. */
export function requiredOf(tool: JsonObject): readonly string[] {
  const required = member(tool['inputSchema'], 'required')
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
