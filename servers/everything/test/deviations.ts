import type { Described, Listed } from './listed.ts'
import {
  otherTools,
  referenceCapabilities,
  referencePrompts,
  referenceResources,
  referenceTemplates,
  referenceTools,
} from './reference.ts'

/** What the reference lists. */
export const reference: Listed = {
  server: {
    protocolVersion: '2025-11-25',
    capabilities: referenceCapabilities,
    serverInfo: {
      name: 'mcp-servers/everything',
      title: 'Everything Reference Server',
      version: '2.0.0',
    },
  },
  tools: [...referenceTools, ...otherTools].map((tool) => ({
    ...tool,
    execution: { taskSupport: tool.name === 'simulate-research-query' ? 'required' : 'forbidden' },
  })),
  prompts: referencePrompts,
  resources: referenceResources,
  templates: referenceTemplates,
}

/** One way in which ours is another, and why. */
export interface Deviation {
  readonly why: string
  apply(listed: Listed): Listed
}

/** All there are. */
export const deviations: readonly Deviation[] = [
  {
    why: 'The SDK asks no client for a task: no revision before or after 2025-11-25 has that.',
    apply: (listed) => ({
      ...listed,
      tools: listed.tools.filter(({ name }) => !otherTools.some((other) => other.name === name)),
    }),
  },
  {
    why: 'That no task is possible is what the absence of `execution` says.',
    apply: (listed) => ({
      ...listed,
      tools: listed.tools.map(({ execution, ...tool }) =>
        tool['name'] === 'simulate-research-query' ? { ...tool, execution } : tool,
      ),
    }),
  },
  {
    why: 'A tool that takes nothing says so, and a model stops to invent arguments.',
    apply: (listed) => ({
      ...listed,
      tools: listed.tools.map((tool) =>
        takesNothing(tool)
          ? { ...tool, inputSchema: { ...tool['inputSchema'], additionalProperties: false } }
          : tool,
      ),
    }),
  },
  {
    why: 'Nobody who was not verified may see which tasks others have.',
    apply: (listed) =>
      changeServer(listed, ({ capabilities }) => ({
        capabilities: { ...capabilities, tasks: { ...capabilities.tasks, list: undefined } },
      })),
  },
  {
    why: 'Clients can show an icon.',
    apply: (listed) =>
      changeServer(listed, ({ serverInfo }) => ({
        serverInfo: { ...serverInfo, icons: [{ mimeType: 'image/png', sizes: ['20x20'] }] },
      })),
  },
]

interface Greeting {
  readonly serverInfo: Described
  readonly capabilities: Described & { readonly tasks?: Described }
}

function changeServer(listed: Listed, change: (greeting: Greeting) => object): Listed {
  const greeting = listed.server as unknown as Greeting // what a handshake answers with
  return { ...listed, server: { ...listed.server, ...change(greeting) } }
}

function takesNothing(tool: Described): tool is Described & { readonly inputSchema: object } {
  return JSON.stringify(tool['inputSchema']) === '{"type":"object","properties":{}}'
}
