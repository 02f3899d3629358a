import type { HostServer } from '@parley/host'
import { connect } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { z } from 'zod'

/** A picture of one point. */
export const tinyPicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** A server with one tool of each kind: for the core, and for the page. */
export function createWorkshop(
  more: { readonly wait?: (signal: AbortSignal) => Promise<void> } = {},
): Server {
  const server = createServer({ name: 'workshop', version: '1.0.0' })
  server.tool(
    'echo',
    { description: 'Says it again.', inputSchema: z.object({ text: z.string() }) },
    ({ text }) => `You said: ${text}`,
  )
  server.tool('picture', {}, () => ({
    content: [{ type: 'image' as const, data: tinyPicture, mimeType: 'image/png' }],
  }))
  server.tool('wait', {}, async (_, { signal, progress }) => {
    await progress({ progress: 1, total: 4, message: 'a quarter is done' })
    await more.wait?.(signal)
    return 'waited'
  })
  server.tool('form', {}, async (_, context) => {
    const answer = await context.elicit({
      message: 'What is your name?',
      requestedSchema: z.object({ name: z.string().min(2) }),
    })
    return JSON.stringify(answer)
  })
  server.tool('link', {}, async (_, context) => {
    const { action } = await context.elicit({
      mode: 'url',
      message: 'Sign in there',
      url: 'https://login.example.com/in?as=you',
    })
    return `link: ${action}`
  })
  server.tool('sum', {}, async (_, context) => {
    const { content } = await context.sample({
      messages: [
        { role: 'user', content: { type: 'text', text: 'Sum it up. password: hunter2hunter2' } },
      ],
      systemPrompt: 'Be brief.',
      maxTokens: 100,
    })
    const [block] = [content].flat()
    return `The model said: ${block?.type === 'text' ? block.text : ''}`
  })
  server.prompt(
    'greet',
    {
      title: 'Greet somebody',
      description: 'Writes a greeting.',
      argumentsSchema: z.object({ name: z.string(), tone: z.string().optional() }),
      complete: {
        name: (typed) => ['Ada', 'Alan', 'Grace'].filter((one) => one.startsWith(typed)),
      },
    },
    ({ name, tone }) => `Greet ${name}${tone === undefined ? '' : ` in a ${tone} tone`}.`,
  )
  server.prompt('sign', {}, () => 'Sign it with my name.')
  server.resource(
    'note://minor',
    { name: 'minor note', mimeType: 'text/plain', annotations: { priority: 0.1 } },
    () => 'It does not matter.',
  )
  server.resource(
    'note://major',
    {
      name: 'major note',
      mimeType: 'text/plain',
      size: 400_000,
      annotations: { priority: 1, audience: ['assistant'] },
    },
    () => 'The answer is 42.',
  )
  server.resource(
    'page://{number}',
    {
      name: 'page of a book',
      complete: { number: (typed) => ['1', '12', '2'].filter((one) => one.startsWith(typed)) },
    },
    ({ number }) => `Text of page ${number}.`,
  )
  return server
}

/** A server with one document that can be changed, which it tells of. */
export function createPlan(): { readonly server: Server; readonly change: (text: string) => void } {
  const server = createServer({ name: 'plans', version: '1.0.0' })
  const changes = new EventTarget()
  let text = 'Monday: write.\nTuesday: rest.'
  server.resource(
    'plan://week',
    {
      name: 'week plan',
      mimeType: 'text/plain',
      watch: (_, changed, signal) => changes.addEventListener('change', changed, { signal }),
    },
    () => text,
  )
  return {
    server,
    change(next) {
      text = next
      changes.dispatchEvent(new Event('change'))
    },
  }
}

/** A server of this process for a chat. */
export function inProcess(name: string, server: Server): HostServer {
  return { name, target: { open: (options) => connect(server, options), hash: name } }
}
