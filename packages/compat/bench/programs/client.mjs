import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const client = new Client({ name: 'bench', version: '1' })
const args = [new URL('echo.mjs', import.meta.url).pathname]
await client.connect(new StdioClientTransport({ command: process.execPath, args }))

/** Calls with 32 in flight. */
async function run(total) {
  let left = total
  const worker = async () => {
    while (left-- > 0) await client.callTool({ name: 'echo', arguments: { text: 'hello' } })
  }
  await Promise.all(Array.from({ length: 32 }, worker))
}
await run(10_000)
const before = process.cpuUsage()
await run(20_000)
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 20_000)
await client.close()
