/** The tutorial's chatbot, `node dist/chat.js [--yes] server.js`: a model that calls tools, and you are asked before each call. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

import { loadConfig } from '@parley/foundation/config'
import { configuredServers, createHost, type Consent, type HostServer } from '@parley/host'
import { openModel, createScriptedModel, type Model } from '@parley/host/models'

const allowed = { decision: 'allow', rule: 'you' } as const
const refused = { decision: 'deny', rule: 'you', message: 'The user refused it.' } as const
const python = process.platform === 'win32' ? 'python' : 'python3'

async function serversOf(path: string): Promise<readonly HostServer[]> {
  const command = path.endsWith('.py') ? python : /\.m?js$/.test(path) ? 'node' : undefined
  if (command !== undefined) return [{ name: 'server', target: { command, args: [path] } }]
  if (path.endsWith('.json')) return configuredServers(await loadConfig({ files: [path] }))
  throw new Error('usage: chat [--yes] <server.js | server.py | mcp.json>')
}

type Say = (text: string) => unknown

/** Reads questions from lines until `quit` or the end. */
export async function chat(words: readonly string[], model: Model, input: Readable, say: Say) {
  const servers = await serversOf(words.find((word) => word !== '--yes') ?? '')
  const lines = createInterface({ input })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value ?? 'quit').trim()
  const consent: Consent = {
    async decide([call, ...others], signal) {
      if (call === undefined) return []
      say(`\n[Calling tool ${call.tool.name} with args ${JSON.stringify(call.arguments)}]\n`)
      if (!words.includes('--yes')) say('Allow it? [y/N] ')
      const isAllowed = words.includes('--yes') || /^y/i.test(await nextLine())
      return [isAllowed ? allowed : refused, ...(await consent.decide(others, signal))]
    },
  }
  await using host = createHost({ servers, model, consent })
  await host.start()
  for (const { name, status, tools } of host.servers)
    say(`${name}: ${status.error ?? tools.map((tool) => tool.name).join(', ')}\n`)
  for (say('Query: '); ; say('\nQuery: ')) {
    const query = await nextLine()
    if (/^quit$/i.test(query)) return
    for await (const event of host.turn(query)) {
      if (event.type === 'text') say(event.text)
      if (event.type === 'end') say(event.message ? `Error: ${event.message}\n` : '\n')
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { MODEL: name, BASE_URL: baseUrl } = process.env // and the key, as in OPENAI_API_KEY
  const model = name === undefined ? createScriptedModel() : openModel({ name, baseUrl })
  const say = (text: string) => process.stdout.write(text)
  await chat(process.argv.slice(2), model, process.stdin, say).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
