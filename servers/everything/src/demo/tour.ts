import type { Progress } from '@parley/mcp'
import { toolOutput } from '@parley/mcp/client'

import { showTexts, textsOf, type Stop } from './extension-stops.ts'
import type { Terminal } from './terminal.ts'

/** What is shown of the protocol itself, in order. */
export const stops: readonly Stop[] = [
  {
    title: 'What does the server offer?',
    why: 'Each list is one request per page; tools that ask something are listed because this client can answer.',
    async visit(client, { print }) {
      const tools = await client.listTools().toArray()
      const prompts = await client.listPrompts().toArray()
      const resources = await client.listResources().toArray()
      print(`    ${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`)
      print(`    ${prompts.length} prompts: ${prompts.map(({ name }) => name).join(', ')}`)
      print(`    ${resources.length} resources: ${resources.map(({ name }) => name).join(', ')}`)
    },
  },
  {
    title: 'Calling tools',
    why: 'Text for people and models, structured content for programs; it is checked against its schema on both sides.',
    async visit(client, { print }) {
      const echo = await client.callTool('echo', { message: 'hello' })
      const weather = await client.callTool('get-structured-content', { location: 'Chicago' })
      print(`    echo: ${String(toolOutput(echo))}`)
      print(`    weather: ${JSON.stringify(toolOutput(weather))}`)
    },
  },
  {
    title: 'Progress',
    why: 'The server tells how far it has come because the request carries a token.',
    async visit(client, terminal) {
      const result = await client.callTool(
        'trigger-long-running-operation',
        { duration: 1, steps: 5 },
        { onProgress: (progress) => terminal.print(`    ${bar(progress, terminal)}`) },
      )
      terminal.print(`    ${String(toolOutput(result))}`)
    },
  },
  {
    title: 'Elicitation: the server asks the user',
    why: 'The call waits for an answer, which is checked against the form. The server asks by a request, or from 2026-07-28 on in a result, and is then called again.',
    visit: async (client, terminal) =>
      showTexts(client, terminal, 'trigger-elicitation-request', {}),
  },
  {
    since: '2025-11-25',
    title: 'Links: what must not pass through the client',
    why: 'The user is sent to a page. Nobody fetches it; agreeing to open it is all that is said.',
    visit: async (client, terminal) =>
      showTexts(client, terminal, 'trigger-url-elicitation', { url: 'https://example.com/pay' }),
  },
  {
    title: "Sampling: the server asks the client's model",
    why: 'The client decides which model answers, and whether.',
    visit: async (client, terminal) =>
      showTexts(client, terminal, 'trigger-sampling-request', { prompt: 'What is a protocol?' }),
  },
  {
    title: 'Roots: the server asks where to work',
    why: 'Folders the user opened for it; the list can change while they talk.',
    visit: async (client, terminal) => showTexts(client, terminal, 'get-roots-list', {}),
  },
  {
    since: '2026-07-28',
    title: 'Caching',
    why: 'The server said how long its lists hold: the second time nothing is sent.',
    async visit(client, { print }) {
      const first = await client.listPrompts({ fresh: true }).toArray()
      const second = await client.listPrompts().toArray()
      print(`    ${first.length} prompts from the server, ${second.length} from memory`)
    },
  },
  {
    title: 'Resources',
    why: 'Data with an address: read it, find it by a template, follow its changes.',
    async visit(client, { print }) {
      const templates = await client.listResourceTemplates().toArray()
      const uri = 'demo://resource/dynamic/text/7'
      const { contents } = await client.readResource(uri)
      print(`    templates: ${templates.map(({ uriTemplate }) => uriTemplate).join(', ')}`)
      for (const content of contents) print(`    ${'text' in content ? content.text : content.uri}`)
      await using changes = await client.listen({ resourceSubscriptions: [uri] })
      await client.callTool('toggle-subscriber-updates')
      for await (const change of changes) {
        print(`    heard: ${JSON.stringify(change)}`)
        break
      }
      await client.callTool('toggle-subscriber-updates')
    },
  },
  {
    title: 'Prompts and completion',
    why: 'What is suggested for one argument depends on the arguments filled in already.',
    async visit(client, { print }) {
      const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
      const { values } = await client.complete(
        ref,
        { name: 'name', value: '' },
        { known: { department: 'Sales' } },
      )
      const name = values[0] ?? ''
      const prompt = await client.getPrompt(ref.name, { department: 'Sales', name })
      print(`    suggested: ${values.join(', ')}`)
      for (const { content } of prompt.messages)
        if (content.type === 'text') print(`    ${content.text}`)
    },
  },
  {
    title: 'Log messages',
    why: 'The client sets the level; messages belong to the calls they are about.',
    async visit(client) {
      await client.setLoggingLevel('debug')
      await client.callTool('toggle-simulated-logging')
      await client.callTool('echo', { message: 'listen' })
      await client.callTool('toggle-simulated-logging')
    },
  },
  {
    title: 'Cancellation',
    why: 'One abort signal: the caller gets its reason at once, the server is told and stops, no answer follows.',
    async visit(client, { print }) {
      const controller = new AbortController()
      const call = client.callTool(
        'trigger-long-running-operation',
        { duration: 60, steps: 600 },
        {
          signal: controller.signal,
          onProgress: () => controller.abort(new Error('changed my mind')),
        },
      )
      await call.catch((error: Error) => print(`    the call ended: ${error.message}`))
      print(
        `    the server is still there: it answers a ping in ${(await client.ping()).toFixed(1)} ms`,
      )
    },
  },
  {
    title: 'Mistakes',
    why: 'Wrong arguments are a result the model can read and correct; an unknown tool is a protocol error.',
    async visit(client, terminal) {
      const result = await client.callTool('get-sum', { a: 'one', b: 2 })
      terminal.print(
        `    isError: ${result.isError}, ${textsOf(result).join(' ').replaceAll('\n', ' ')}`,
      )
      await showTexts(client, terminal, 'make-coffee', {})
    },
  },
]

function bar({ progress, total = progress }: Progress, { paint }: Terminal): string {
  const filled = Math.round((progress / total) * 30)
  return `${paint('bar', '█'.repeat(filled))}${'░'.repeat(30 - filled)} ${progress}/${total}`
}
