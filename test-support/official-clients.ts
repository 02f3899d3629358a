import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** A program to start, or the address of one. */
export type OfficialTarget = { readonly command: string; readonly args: string[] } | URL

/** What both generations of the official client have in common, as far as programs are tested with it. */
export interface OfficialCaller extends AsyncDisposable {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>
}

const info = { name: 'official', version: '1' }

/** The official clients by name; the last one looks for the newest revision before it shakes hands. */
export const officialClients: readonly (readonly [
  name: string,
  open: (target: OfficialTarget) => Promise<OfficialCaller>,
])[] = [
  ['v1', openV1],
  ['v2 by handshake', (target) => openV2(target, 'legacy')],
  ['v2 in its newest revision', (target) => openV2(target, 'auto')],
]

async function openV1(target: OfficialTarget): Promise<OfficialCaller> {
  const client = new ClientV1(info)
  await client.connect(target instanceof URL ? new HttpV1(target) : new StdioV1(target))
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

async function openV2(target: OfficialTarget, mode: 'legacy' | 'auto'): Promise<OfficialCaller> {
  const client = new ClientV2(info, { versionNegotiation: { mode } })
  await client.connect(target instanceof URL ? new HttpV2(target) : new StdioV2(target))
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}
