import { createServer, type Server } from '@parley/mcp/server'
import { serverTasks, type TaskStore } from '@parley/mcp/tasks'
import { z } from 'zod'

/** A clock's server, which says where it runs. */
export function createClock(position: string, tasks: TaskStore, cancelled: string[] = []): Server {
  const extensions = [serverTasks({ store: tasks, pollIntervalMs: 20 })]
  const onDeprecated = (): void => undefined
  const server = createServer({ name: 'clock', version: '1.0.0', extensions, onDeprecated })
  server.tool('where', {}, () => position)
  server.tool('murmur', {}, (_, context) => {
    context.log('debug', 'quietly')
    return position
  })
  server.resource('clock://now', { name: 'now' }, () => 'noon')
  server.tool('count', { inputSchema: z.object({ to: z.number() }) }, async ({ to }, context) => {
    for (let progress = 1; progress <= to; progress += 1) {
      await context.progress({ progress, total: to })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return `${position} counted to ${to}`
  })
  server.tool('wait', { task: 'required' }, async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 'never'
  })
  server.tool('work', { task: 'required' }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return `${position} worked`
  })
  addQuestions(server, position)
  server.resource('note://one', { name: 'one' }, () => 'text')
  server.tool('hold', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
    cancelled.push(position)
    return 'never'
  })
  return server
}

const form = { message: 'Who?', requestedSchema: z.object({ name: z.string() }) }

function addQuestions(server: Server, position: string): void {
  server.tool('ask', {}, async (_, context) => {
    const answer = await context.elicit(form)
    return `${position} asked ${answer.action === 'accept' ? answer.content.name : 'nobody'}`
  })
  server.tool('pay', { singleUse: true }, async (_, context) => {
    const answer = await context.elicit(form)
    return `${position} charged ${answer.action === 'accept' ? answer.content.name : 'nobody'}`
  })
  server.tool('think', {}, async (_, context) => {
    const content = { type: 'text', text: 'Why?' } as const
    const thought = await context.sample({
      messages: [{ role: 'user', content }],
      maxTokens: 10,
    })
    return `${position} thought ${JSON.stringify(thought.content)}`
  })
  server.tool('look', {}, async (_, context) => {
    const [root] = await context.listRoots()
    return `${position} looked at ${root?.uri}`
  })
}
