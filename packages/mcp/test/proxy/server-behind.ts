import { createServer, type Server } from '@parley/mcp/server'

/** A server that does everything that can be relayed, and what happened in it. */
export interface Behind {
  readonly server: Server
  /** Reasons of calls that were given up. */
  readonly aborted: unknown[]
  /** Lets `wait` go on. */
  release(): void
}

const text = { type: 'object', properties: { text: { type: 'string' } } } as const

export function createBehind(): Behind {
  const server = createServer({
    name: 'behind',
    version: '1.2.3',
    title: 'Behind',
    instructions: 'Use it with care.',
    onError: () => undefined,
    onDeprecated: () => undefined,
  })
  const aborted: unknown[] = []
  let release: (() => void) | undefined
  const waiting: Promise<void> = new Promise((resolve) => (release = resolve))

  server.tool(
    'echo',
    {
      title: 'Echo',
      inputSchema: text,
      annotations: { readOnlyHint: true },
      _meta: { 'a.b/c': 1 },
    },
    ({ text: said }) => said as string,
  )
  server.tool('steps', {}, async (_, { progress }) => {
    await progress({ progress: 1, total: 3, message: 'one' })
    await progress({ progress: 2, total: 3, message: 'two' })
    return 'done'
  })
  server.tool('wait', {}, async (_, { signal, progress }) => {
    await progress({ progress: 1 })
    await Promise.race([
      waiting,
      new Promise((resolve) => signal.addEventListener('abort', resolve)),
    ])
    if (signal.aborted) aborted.push(signal.reason)
    return 'waited'
  })
  server.tool('log', {}, (_, { log }) => {
    log('warning', 'careful', 'behind')
    return 'logged'
  })
  server.tool('ask', {}, async (_, { elicit }) => {
    const answer = await elicit({
      message: 'Which city?',
      requestedSchema: { type: 'object', properties: { city: { type: 'string' } } },
    })
    return JSON.stringify(answer)
  })
  server.tool('ask-twice', {}, async (_, { elicit }) => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } } as const
    const first = await elicit({ message: 'From?', requestedSchema: schema })
    const second = await elicit({ message: 'To?', requestedSchema: schema })
    return JSON.stringify([first, second])
  })
  server.tool('sample', {}, async (_, { sample }) => {
    const { content } = await sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello?' } }],
      maxTokens: 10,
    })
    return JSON.stringify(content)
  })
  server.tool('roots', {}, async (_, { listRoots }) => JSON.stringify(await listRoots()))
  server.tool('fail', {}, () => ({ content: [{ type: 'text', text: 'no' }], isError: true }))
  server.resource('note://one', { name: 'one', mimeType: 'text/plain' }, () => 'first')
  server.resource('note://{id}/{part}', { name: 'parts' }, ({ id, part }) => `${id} ${part}`)
  const argumentsSchema = { type: 'object', properties: { city: { type: 'string' } } } as const
  server.prompt(
    'plan',
    {
      argumentsSchema,
      complete: { city: (value) => ['Oslo', 'Bergen'].filter((city) => city.startsWith(value)) },
    },
    ({ city }) => `Plan ${city as string}`,
  )
  return { server, aborted, release: () => release?.() }
}
