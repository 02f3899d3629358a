/** A program for another SDK, and what becomes of it. */
export interface Program {
  readonly before: string
  readonly after: string
}

/** A high-level server of v1, with all that can be moved without a person. */
export const firstServer: Program = {
  before: `import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { completable } from '@modelcontextprotocol/sdk/server/completable.js'
import { z } from 'zod'

const server = new McpServer(
  { name: 'notes', version: '1.0.0' },
  { capabilities: { logging: {} }, instructions: 'Search first.' },
)
const notes = new Map([['1', 'buy milk']])

// Comments stay where they are.
server.registerTool(
  'add',
  {
    description: 'Adds a note',
    inputSchema: { text: z.string() },
    outputSchema: { id: z.string() },
  },
  async ({ text }, extra) => {
    if (text === '') throw new Error('Write something.')
    const progressToken = extra._meta?.progressToken
    if (progressToken !== undefined) {
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 1 },
      })
    }
    extra.signal.throwIfAborted()
    const id = String(notes.size + 1)
    notes.set(id, text)
    return { content: [{ type: 'text', text: id }], structuredContent: { id } }
  },
)

server.registerTool('whoami', { description: 'Who calls' }, (extra) => ({
  content: [{ type: 'text', text: extra.authInfo === undefined ? 'nobody' : 'somebody' }],
}))

server.tool('say', 'Says a word', { word: z.string() }, ({ word }) => ({ content: [{ type: 'text', text: word }] }))
server.tool('count', () => ({ content: [{ type: 'text', text: String(notes.size) }] }))
server.tool('find', 'Finds a note', { word: z.string() }, { readOnlyHint: true }, ({ word }) => ({
  content: [{ type: 'text', text: word }],
}))

server.registerTool('confirm', { inputSchema: { what: z.string() } }, async ({ what }) => {
  const answer = await server.server.elicitInput({
    message: what,
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
  })
  return { content: [{ type: 'text', text: answer.action }] }
})

const template = new ResourceTemplate('notes://{id}', {
  list: () => ({ resources: [...notes.keys()].map((id) => ({ uri: 'notes://' + id, name: id, mimeType: 'text/plain' })) }),
})
server.registerResource('note', template, { mimeType: 'text/plain' }, (uri, { id }) => ({
  contents: [{ uri: uri.href, text: notes.get(String(id)) ?? '' }],
}))
server.registerResource('all', 'all://notes', {}, () => ({
  contents: [{ uri: 'all://notes', text: [...notes.values()].join() }],
}))

server.registerPrompt(
  'tidy',
  { argsSchema: { topic: completable(z.string(), (typed) => ['work', 'home'].filter((one) => one.startsWith(typed))) } },
  ({ topic }) => ({ messages: [{ role: 'user', content: { type: 'text', text: topic } }] }),
)

await server.connect(new StdioServerTransport())
`,
  after: `import { ToolError, jsonSchema } from '@parley/mcp'
import { createServer, toolResult } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'
import { z } from 'zod'

const server = createServer(
  { name: 'notes', version: '1.0.0', instructions: 'Search first.' },
)
const notes = new Map([['1', 'buy milk']])

// Comments stay where they are.
server.tool(
  'add',
  {
    description: 'Adds a note',
    inputSchema: z.object({ text: z.string() }),
    outputSchema: z.object({ id: z.string() }),
  },
  async ({ text }, context) => {
    if (text === '') throw new ToolError('Write something.')
    const progressToken = context.meta?.progressToken
    if (progressToken !== undefined) {
      await context.progress({ progress: 1, total: 1 })
    }
    context.signal.throwIfAborted()
    const id = String(notes.size + 1)
    notes.set(id, text)
    return toolResult({ content: [{ type: 'text', text: id }], structuredContent: { id } })
  },
)

server.tool('whoami', { description: 'Who calls' }, (_, context) => ({
  content: [{ type: 'text', text: context.auth === undefined ? 'nobody' : 'somebody' }],
}))

server.tool('say', { description: 'Says a word', inputSchema: z.object({ word: z.string() }) }, ({ word }) => ({ content: [{ type: 'text', text: word }] }))
server.tool('count', {}, () => ({ content: [{ type: 'text', text: String(notes.size) }] }))
server.tool('find', { description: 'Finds a note', inputSchema: z.object({ word: z.string() }), annotations: { readOnlyHint: true } }, ({ word }) => ({
  content: [{ type: 'text', text: word }],
}))

server.tool('confirm', { inputSchema: z.object({ what: z.string() }) }, async ({ what }, context) => {
  const answer = await context.elicit({
    message: what,
    requestedSchema: jsonSchema({ type: 'object', properties: { sure: { type: 'boolean' } } }),
  })
  return { content: [{ type: 'text', text: answer.action }] }
})

server.resource('notes://{id}', { name: 'note', list: () => [...notes.keys()].map((id) => ({ uri: 'notes://' + id, name: id, mimeType: 'text/plain' })), mimeType: 'text/plain' }, ({ id }, context) => ({
  contents: [{ uri: context.uri, text: notes.get(String(id)) ?? '' }],
}))
server.resource('all://notes', { name: 'all' }, () => ({
  contents: [{ uri: 'all://notes', text: [...notes.values()].join() }],
}))

server.prompt(
  'tidy',
  { argumentsSchema: z.object({ topic: z.string() }), complete: { topic: (typed) => ['work', 'home'].filter((one) => one.startsWith(typed)) } },
  ({ topic }) => ({ messages: [{ role: 'user', content: { type: 'text', text: topic } }] }),
)

serveStdio(server)
`,
}

/** The same generation, by factory functions and constants. */
export const secondServer: Program = {
  before: `import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

function createServer(): McpServer {
  const server = new McpServer({ name: 'second', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }, ctx) => {
    await ctx.mcpReq.log('info', 'called');
    ctx.mcpReq.signal.throwIfAborted();
    return { content: [{ type: 'text', text }] };
  });
  return server;
}

async function main() {
  const transport = new StdioServerTransport();
  const server = createServer();
  await server.connect(transport);
}
void main();
`,
  after: `import { createServer as createMcpServer, type Server } from '@parley/mcp/server';
import { serveStdio } from '@parley/mcp/stdio';
import * as z from 'zod';

function createServer(): Server {
  const server = createMcpServer({ name: 'second', version: '1.0.0' });
  server.tool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }, context) => {
    await context.log('info', 'called');
    context.signal.throwIfAborted();
    return { content: [{ type: 'text', text }] };
  });
  return server;
}

async function main() {
  const server = createServer();
  serveStdio(server);
}
void main();
`,
}

export const firstClient: Program = {
  before: `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const transport = new StdioClientTransport({ command: 'node', args: ['server.mjs'] })
const client = new Client({ name: 'reader', version: '1.0.0' })
await client.connect(transport)

const { tools } = await client.listTools()
const resources = (await client.listResources()).resources
const prompts = await client.listPrompts()
const result = await client.callTool({ name: 'find', arguments: { word: 'milk' } }, undefined, { timeout: 10_000 })
const count = await client.callTool({ name: 'count' })
const { contents } = await client.readResource({ uri: 'notes://1' })
const prompt = await client.getPrompt({ name: 'tidy', arguments: { topic: 'work' } })
const name = client.getServerVersion()?.name
export const seen = JSON.stringify([
  tools.map((tool) => tool.name),
  resources.length,
  prompts.prompts.length,
  result.content,
  count.content,
  contents.length,
  prompt.messages.length,
  name,
])
await client.close()
`,
  after: `import { connect } from '@parley/mcp/client'

const client = await connect({ command: 'node', args: ['server.mjs'] }, { info: { name: 'reader', version: '1.0.0' } })

const tools = await client.listTools().toArray()
const resources = await client.listResources().toArray()
const prompts = { prompts: await client.listPrompts().toArray() }
const result = await client.callTool('find', { word: 'milk' }, { timeouts: { totalMs: 10_000 } })
const count = await client.callTool('count')
const { contents } = await client.readResource('notes://1')
const prompt = await client.getPrompt('tidy', { topic: 'work' })
const name = client.server.info?.name
export const seen = JSON.stringify([
  tools.map((tool) => tool.name),
  resources.length,
  prompts.prompts.length,
  result.content,
  count.content,
  contents.length,
  prompt.messages.length,
  name,
])
await client.close()
`,
}

export const lowLevelServer: Program = {
  before: `import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema, McpError, ErrorCode } from '@modelcontextprotocol/sdk/types.js'

class Sums {
  private server: Server

  constructor() {
    this.server = new Server({ name: 'sums', version: '1.0.0' }, { capabilities: { tools: {} } })
    this.server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: [
        {
          name: 'add',
          description: 'Adds two numbers',
          inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
        },
        { name: 'zero', inputSchema: { type: 'object', properties: {} } },
      ],
    }))
    this.server.setRequestHandler(CallToolRequestSchema, async (request) => {
      switch (request.params.name) {
        case 'add':
          return { content: [{ type: 'text', text: String(request.params.arguments?.['a']) }] }
        case 'zero':
          return { content: [{ type: 'text', text: '0' }] }
        default:
          throw new McpError(ErrorCode.MethodNotFound, 'Unknown tool: ' + request.params.name)
      }
    })
  }

  async run() {
    const transport = new StdioServerTransport()
    await this.server.connect(transport)
  }
}

await new Sums().run()
`,
  after: `import { ToolError, jsonSchema, type CallToolResult } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'

class Sums {
  private server: Server

  constructor() {
    this.server = createServer({ name: 'sums', version: '1.0.0' })
    const tools = [
        {
          name: 'add',
          description: 'Adds two numbers',
          inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
        },
        { name: 'zero', inputSchema: { type: 'object', properties: {} } },
      ]
    const callTool = async (request: { params: { name: string; arguments: Record<string, unknown> } }): Promise<CallToolResult> => {
      switch (request.params.name) {
        case 'add':
          return { content: [{ type: 'text', text: String(request.params.arguments?.['a']) }] }
        case 'zero':
          return { content: [{ type: 'text', text: '0' }] }
        default:
          throw new ToolError('Unknown tool: ' + request.params.name)
      }
    }
    for (const { name, inputSchema, ...options } of tools) {
      this.server.tool(name, { ...options, inputSchema: jsonSchema<Record<string, unknown>>(inputSchema) }, (input) =>
        callTool({ params: { name, arguments: input } }),
      )
    }
  }

  async run() {
    serveStdio(this.server)
  }
}

await new Sums().run()
`,
}

export const fastServer: Program = {
  before: `import { FastMCP, UserError } from 'fastmcp'
import { z } from 'zod'

const server = new FastMCP({ name: 'fast', version: '1.0.0' })

server.addTool({
  name: 'fetch',
  description: 'Fetches a page',
  parameters: z.object({ url: z.string() }),
  annotations: { readOnlyHint: true },
  execute: async (args, { log, reportProgress }) => {
    log.info('fetching', { url: args.url })
    await reportProgress({ progress: 1, total: 1 })
    if (args.url === '') throw new UserError('Name a page.')
    return args.url
  },
})
server.addResource({
  uri: 'file:///log',
  name: 'Log',
  mimeType: 'text/plain',
  async load() {
    return { text: 'empty' }
  },
})
server.addPrompt({
  name: 'commit',
  description: 'Writes a message',
  arguments: [{ name: 'changes', description: 'The diff', required: true }],
  load: async ({ changes }) => 'Write about ' + changes,
})

await server.start({ transportType: 'stdio' })
`,
  after: `import { ToolError } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'
import { z } from 'zod'

const server = createServer({ name: 'fast', version: '1.0.0' })

server.tool('fetch', {
  description: 'Fetches a page',
  inputSchema: z.object({ url: z.string() }),
  annotations: { readOnlyHint: true },
}, async (args, context) => {
    context.log('info', { message: 'fetching', data: { url: args.url } })
    await context.progress({ progress: 1, total: 1 })
    if (args.url === '') throw new ToolError('Name a page.')
    return args.url
  })
server.resource('file:///log', {
  name: 'Log',
  mimeType: 'text/plain',
}, async function () {
    return { text: 'empty' }
  })
server.prompt('commit', {
  description: 'Writes a message',
  argumentsSchema: z.object({ changes: z.string().describe('The diff') }),
}, async ({ changes }) => 'Write about ' + changes)

serveStdio(server)
`,
}

/** Tools that are computed, resources, templates and prompts, by handlers of requests. */
export const lowLevelFeatures: Program = {
  before: `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const prompts = [{ name: 'tidy', description: 'Tidies up', arguments: [{ name: 'topic', description: 'What', required: true }] }];
const server = new Server(
  { name: 'notes', version: '1.0.0' },
  { capabilities: { tools: {}, resources: {}, prompts: {} } },
);

server.onerror = (error) => void error;

server.setRequestHandler(ListToolsRequestSchema, async () => {
  const tools = [
    {
      name: 'size',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
      outputSchema: { type: 'object', properties: { size: { type: 'number' } } },
    },
  ];
  return { tools: tools.filter(({ name }) => name !== 'hidden') };
});

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const size = String(params.arguments?.['id']).length;
  return { content: [{ type: 'text', text: String(size) }], structuredContent: { size } };
});

server.setRequestHandler(ListResourcesRequestSchema, async () => ({
  resources: [{ uri: 'notes://all', name: 'All notes', mimeType: 'text/plain' }],
}));

server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => {
  return { resourceTemplates: [{ uriTemplate: 'notes://{id}', name: 'A note' }] };
});

server.setRequestHandler(ReadResourceRequestSchema, async (request) => {
  const { uri } = request.params;
  if (!uri.startsWith('notes://')) throw new McpError(ErrorCode.InvalidParams, 'No such note');
  return { contents: [{ uri, text: 'buy milk' }] };
});

server.setRequestHandler(ListPromptsRequestSchema, async () => ({ prompts }));

server.setRequestHandler(GetPromptRequestSchema, async (request) => ({
  messages: [{ role: 'user', content: { type: 'text', text: \`Tidy \${request.params.arguments?.['topic']}\` } }],
}));

async function main() {
  await server.connect(new StdioServerTransport());
}
void main();
`,
  after: `import { RpcError, jsonSchema, type CallToolResult, type GetPromptResult, type Prompt, type ReadResourceResult, type Resource, type ResourceTemplate, type Tool } from '@parley/mcp';
import { createServer, toolResult } from '@parley/mcp/server';
import { serveStdio } from '@parley/mcp/stdio';

const prompts = [{ name: 'tidy', description: 'Tidies up', arguments: [{ name: 'topic', description: 'What', required: true }] }];
const server = createServer(
  { name: 'notes', version: '1.0.0', onError: (error) => void error },
);


const listedTools = (() => {
  const tools = [
    {
      name: 'size',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
      outputSchema: { type: 'object', properties: { size: { type: 'number' } } },
    },
  ];
  return { tools: tools.filter(({ name }) => name !== 'hidden') };
})().tools;

const callTool = async ({ params }: { params: { name: string; arguments: Record<string, unknown> } }): Promise<CallToolResult> => {
  const size = String(params.arguments?.['id']).length;
  return { content: [{ type: 'text', text: String(size) }], structuredContent: { size } };
};
for (const { name, inputSchema, outputSchema, title, description, annotations, icons, _meta } of listedTools as readonly Tool[]) {
  server.tool(name, { title, description, annotations, icons, _meta, inputSchema: jsonSchema<Record<string, unknown>>(inputSchema), ...(outputSchema && { outputSchema: jsonSchema(outputSchema) }) }, async (input) =>
    toolResult(await callTool({ params: { name, arguments: input } })),
  );
}



const readResource = async (request: { params: { uri: string } }): Promise<ReadResourceResult> => {
  const { uri } = request.params;
  if (!uri.startsWith('notes://')) throw new RpcError('invalid_params', 'No such note');
  return { contents: [{ uri, text: 'buy milk' }] };
};
for (const { uri, ...options } of [{ uri: 'notes://all', name: 'All notes', mimeType: 'text/plain' }] as readonly Resource[]) {
  server.resource(uri, options, (_) => readResource({ params: { uri } }));
}
for (const { uriTemplate, ...options } of [{ uriTemplate: 'notes://{id}', name: 'A note' }] as readonly ResourceTemplate[]) {
  server.resource(uriTemplate, options, (_, context) => readResource({ params: { uri: context.uri } }));
}


const getPrompt = async (request: { params: { name: string; arguments: Record<string, unknown> } }): Promise<GetPromptResult> => ({
  messages: [{ role: 'user', content: { type: 'text', text: \`Tidy \${request.params.arguments?.['topic']}\` } }],
});
for (const { name, title, description, arguments: list = [] } of prompts as readonly Prompt[]) {
  const properties = Object.fromEntries(
    list.map((one) => [one.name, { type: 'string', ...(one.description && { description: one.description }) }]),
  );
  const required = list.filter((one) => one.required).map((one) => one.name);
  const argumentsSchema = jsonSchema({ type: 'object', properties, required });
  server.prompt(name, { title, description, argumentsSchema }, (input) =>
    getPrompt({ params: { name, arguments: input } }),
  );
}

async function main() {
  serveStdio(server);
}
void main();
`,
}

/** What the documentation of FastMCP 4 shows beside the smallest server. */
export const fastFeatures: Program = {
  before: `import { FastMCP, UserError } from 'fastmcp'
import { z } from 'zod'

const server = new FastMCP({ name: 'fast', version: '1.0.0', title: 'Fast', websiteUrl: 'https://example.com' })

server.addTool({
  name: 'weather',
  parameters: z.object({ city: z.string() }),
  outputSchema: z.object({ celsius: z.number() }),
  timeoutMs: 30_000,
  execute: async ({ city }, { signal, elicit }) => {
    signal.throwIfAborted()
    if (city === '') throw new UserError('Name a city.')
    const answer = await elicit({ message: 'Sure?', requestedSchema: { type: 'object', properties: {} } })
    if (answer.action !== 'accept') return { celsius: 0 }
    return { content: [{ type: 'text', text: '7 degrees' }], structuredContent: { celsius: 7 } }
  },
})
server.addResourceTemplate({
  uriTemplate: 'logs://{name}',
  name: 'Logs',
  arguments: [{ name: 'name', required: true, complete: async (value) => ({ values: [value] }) }],
  async load({ name }) {
    return { text: String(name) }
  },
})
await server.sendResourceUpdated('logs://a')

await server.start({ transportType: 'httpStream', httpStream: { port: 8080 } })
`,
  after: `import { ToolError, jsonSchema } from '@parley/mcp'
import { serveHttp } from '@parley/mcp/node'
import { createServer, toolResult } from '@parley/mcp/server'
import { z } from 'zod'

const server = createServer({ name: 'fast', version: '1.0.0', title: 'Fast', websiteUrl: 'https://example.com' })

server.tool('weather', {
  inputSchema: z.object({ city: z.string() }),
  outputSchema: z.object({ celsius: z.number() }),
  timeoutMs: 30_000,
}, async ({ city }, context) => {
    context.signal.throwIfAborted()
    if (city === '') throw new ToolError('Name a city.')
    const answer = await context.elicit({ message: 'Sure?', requestedSchema: jsonSchema({ type: 'object', properties: {} }) })
    if (answer.action !== 'accept') return { celsius: 0 }
    return toolResult({ content: [{ type: 'text', text: '7 degrees' }], structuredContent: { celsius: 7 } })
  })
server.resource('logs://{name}', {
  name: 'Logs',
  complete: { "name": async (value) => ({ values: [value] }) },
}, async function ({ name }) {
    return { text: String(name) }
  })
await server.notifyChanged({ uri: 'logs://a' })

await serveHttp(server, { port: 8080 })
`,
}
