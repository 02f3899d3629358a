/**
 * `node dist/weather-client.js [command] [argument …]`: starts a server, shows its tools, and calls one for each line
 * you type, such as `get_alerts {"state": "CA"}`. In a host a model writes those lines.
 */

import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { isRpcError, ToolError } from '@parley/mcp'
import { connect, toolOutput, type Client } from '@parley/mcp/client'

const ownServer = fileURLToPath(new URL('weather-server.js', import.meta.url))
const [command = process.execPath, ...args] = process.argv.slice(2)
const isOwn = process.argv.length < 3

await using client = await connect(
  { command, args: isOwn ? [ownServer] : args },
  { onStderr: (line) => console.error(`[server] ${line}`) },
)

console.log(`Connected to ${client.server.info?.name ?? 'a server'}, which offers:`)
for await (const { name, description } of client.listTools()) {
  console.log(`  ${name}: ${description}`)
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') console.log(await answer(client, line.trim()))
}

async function answer({ callTool }: Client, line: string): Promise<string> {
  const [name = '', json = '{}'] = line.split(/\s+(.*)/s, 2)
  try {
    const showProgress = ({ message = '' }) => console.log(`  … ${message}`)
    const input: object = JSON.parse(json)
    const output = toolOutput(await callTool(name, input, { onProgress: showProgress }))
    return typeof output === 'string' ? output : JSON.stringify(output, null, 2)
  } catch (error) {
    if (error instanceof ToolError) return `The tool says: ${error.message}`
    if (isRpcError(error)) return `The server refuses: ${error.message}`
    if (error instanceof SyntaxError) return `Arguments are JSON: ${error.message}`
    throw error
  }
}
