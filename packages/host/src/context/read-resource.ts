/**
 * How a model reads resources: with links it learns of them, with `read_resource` it asks for one. To rules, to the person and
 * to the audit a read is a call of a tool of that server, so nothing is read without consent.
 */
import type { CallToolResult, ContentBlock, ReadResourceResult, Tool } from '@parley/mcp'
import type { CallOptions, Client } from '@parley/mcp/client'

import type { ServerConnection } from '../connections/connection.ts'
import type { ModelTool } from '../models/model.ts'

/** A read as rules and people see it: a tool of the server that has the resource. */
export const readResource: Tool = {
  name: 'read_resource',
  description: 'Reads a resource of the server.',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string' } },
    required: ['uri'],
  },
  annotations: { readOnlyHint: true },
}

/** The definition for the model; undefined while no server has resources. */
export function readResourceTool(connections: readonly ServerConnection[]): ModelTool | undefined {
  const servers = connections.filter(hasResources).map(({ server }) => server.name)
  if (servers.length === 0) return undefined
  const key = JSON.stringify(servers)
  if (lastTool?.key !== key) lastTool = { key, tool: define(servers) }
  return lastTool.tool
}

/** The same object as long as the servers are the same: its size is estimated once. */
let lastTool: { readonly key: string; readonly tool: ModelTool } | undefined

function define(servers: readonly string[]): ModelTool {
  return {
    name: readResource.name,
    description:
      'Reads a resource of a server, such as one that a result links to. Give the URI as the server wrote it.',
    inputSchema: {
      type: 'object',
      properties: {
        server: { type: 'string', enum: [...servers] },
        uri: { type: 'string' },
      },
      required: ['server', 'uri'],
    },
  }
}

/** Whether the server declares resources, and is not switched off. */
export function hasResources({ status, features }: ServerConnection): boolean {
  return status.state !== 'off' && features.capabilities.resources !== undefined
}

/** Reads a resource, as the result of a call. */
export async function readAsResult(
  client: Client,
  uri: string,
  options: CallOptions,
): Promise<CallToolResult> {
  const { contents } = await client.readResource(uri, options)
  return { content: contents.map(resourceBlock) }
}

/** Images and sounds as such, everything else as an embedded resource. */
export function resourceBlock(resource: ReadResourceResult['contents'][number]): ContentBlock {
  const { mimeType = '' } = resource
  if ('blob' in resource) {
    const data = resource.blob
    if (mimeType.startsWith('image/')) return { type: 'image', mimeType, data }
    if (mimeType.startsWith('audio/')) return { type: 'audio', mimeType, data }
  }
  return { type: 'resource', resource }
}

/** A link with everything that its server says about it. */
export function describeLink(link: Extract<ContentBlock, { type: 'resource_link' }>): string {
  const { uri, name, title, description, mimeType, size } = link
  const lines = [
    `link to the resource ${uri}`,
    name && `name: ${name}`,
    title && `title: ${title}`,
    description && `description: ${description}`,
    mimeType && `type: ${mimeType}`,
    size !== undefined && `size: ${size} bytes`,
  ]
  return `(${lines.filter(Boolean).join('\n')})`
}
