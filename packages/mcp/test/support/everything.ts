import { audio, embed, image, jsonSchema, type JsonSchema, resourceLink, text } from '@parley/mcp'
import { createServer, message, type Server } from '@parley/mcp/server'

const icons = [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }]
const _meta = { 'com.example/origin': 'everything' }
const annotations = {
  audience: ['user' as const],
  priority: 0.5,
  lastModified: '2025-06-18T00:00:00Z',
}
/** Everything an item can say about itself. */
const described = { title: 'A title', description: 'What it is', icons, _meta }
const hints = {
  title: 'A hint',
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

const form: JsonSchema = {
  type: 'object',
  properties: {
    size: {
      type: 'string',
      title: 'Size',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
      default: 's',
    },
    age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
    mail: { type: 'string', format: 'email', minLength: 3, maxLength: 80, default: 'a@b.example' },
    sure: { type: 'boolean', default: true },
  },
  required: ['size'],
}

/** One server with everything the model can say, newer than any revision it is served in. */
export function createEverything({ pageSize }: { pageSize?: number } = {}): Server {
  const server = createServer({
    name: 'everything',
    version: '1.0.0',
    title: 'Everything',
    description: 'All there is',
    websiteUrl: 'https://example.com',
    icons,
    instructions: 'Use it all.',
    experimental: { 'com.example/thing': { on: true } },
    pageSize,
    onError: () => undefined,
  })
  addTools(server)
  addQuestions(server)

  server.resource(
    'notes://fixed',
    { ...described, name: 'fixed', mimeType: 'text/plain', size: 5, annotations },
    (_, { uri }) => ({ uri, mimeType: 'text/plain', text: 'hello', _meta }),
  )
  server.resource(
    'notes://{id}',
    {
      ...described,
      name: 'note',
      mimeType: 'text/plain',
      annotations,
      complete: { id: (value, known) => [value, ...Object.keys(known)] },
    },
    ({ id }) => new TextEncoder().encode(id),
  )
  server.prompt(
    'review',
    {
      ...described,
      argumentsSchema: {
        type: 'object',
        properties: { code: { type: 'string', title: 'Code', description: 'What to review' } },
        required: ['code'],
      },
      complete: { code: (value) => [`${value}!`] },
    },
    () => [...allBlocks().map((block) => message('user', block)), message('assistant', 'Well.')],
  )
  return server
}

/** A block of every kind, with everything on it. */
export function allBlocks() {
  const bytes = new Uint8Array([1, 2, 3])
  return [
    text('hello', { annotations, _meta }),
    image(bytes, 'image/png', { annotations, _meta }),
    audio(bytes, 'audio/wav', { annotations, _meta }),
    embed('notes://1', 'note', { annotations, _meta }),
    embed('notes://2', bytes),
    resourceLink({
      uri: 'notes://3',
      name: 'three',
      ...described,
      mimeType: 'text/plain',
      size: 3,
    }),
  ]
}

function addTools(server: Server): void {
  server.tool(
    'forecast',
    {
      ...described,
      annotations: hints,
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      outputSchema: { type: 'object', properties: { celsius: { type: 'number' } } },
    },
    () => ({ celsius: 21 }),
  )
  server.tool(
    'count',
    { outputSchema: jsonSchema<number[]>({ type: 'array', items: { type: 'integer' } }) },
    () => [1, 2, 3],
  )
  server.tool('blocks', {}, () => ({ content: allBlocks(), _meta }))
  server.tool('work', {}, async (_, context) => {
    await context.progress({ progress: 1, total: 2, message: 'half' })
    context.log('warning', { disk: 'full' }, 'disk')
    return 'done'
  })
  server.tool('fail', {}, () => {
    throw new Error('a secret')
  })
}

function addQuestions(server: Server): void {
  server.tool('ask', {}, async (_, context) => {
    const answer = await context.elicit({ message: 'Which one?', requestedSchema: form })
    return JSON.stringify(answer)
  })
  server.tool('think', {}, async (_, context) => {
    const { content } = await context.sample({
      messages: [{ role: 'user', content: text('hi', { annotations, _meta }) }],
      maxTokens: 10,
      systemPrompt: 'Be brief.',
      temperature: 0.5,
      stopSequences: ['.'],
      includeContext: 'none',
      modelPreferences: { hints: [{ name: 'small' }], costPriority: 1 },
      metadata: { reason: 'test' },
    })
    return JSON.stringify(content)
  })
  server.tool('hang', {}, async (_, context) => {
    await context.elicit({ message: 'Still there?', requestedSchema: form }).catch(() => undefined)
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
  })
  server.tool('look', {}, async (_, context) => JSON.stringify(await context.listRoots()))
}
