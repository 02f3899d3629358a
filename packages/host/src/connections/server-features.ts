import type { Prompt, Resource, ResourceTemplate, ServerCapabilities, Tool } from '@parley/mcp'
import type { CallOptions, Client } from '@parley/mcp/client'

/** The features of a server, as they were listed last. */
export interface ServerFeatures {
  /** A name for people; undefined if it has none. */
  readonly title?: string | undefined
  /** How to use the server, for a model. */
  readonly instructions?: string | undefined
  /** The capabilities that it declared. */
  readonly capabilities: ServerCapabilities
  /** Its tools; empty if it has none. */
  readonly tools: readonly Tool[]
  /** Its prompts; empty if it has none. */
  readonly prompts: readonly Prompt[]
  /** Its resources; empty if it has none. */
  readonly resources: readonly Resource[]
  /** Its URI templates; empty if it has none. */
  readonly templates: readonly ResourceTemplate[]
}

/** Before anything was listed. */
export const noOffers: ServerFeatures = {
  capabilities: {},
  tools: [],
  prompts: [],
  resources: [],
  templates: [],
}

/**
 * Reads every list that the server declares. A failure of `tools/list` rejects; any other list that fails is empty, and reported.
 */
export async function readOffers(
  client: Client,
  options: CallOptions,
  onProblem: (list: string, error: unknown) => void,
): Promise<ServerFeatures> {
  const { capabilities, instructions, info } = client.server
  const fresh = { ...options, fresh: true }
  const list = async <T>(
    name: string,
    isOffered: boolean,
    read: () => PromiseLike<readonly T[]>,
  ) => {
    if (!isOffered) return []
    try {
      return await read()
    } catch (error) {
      options.signal?.throwIfAborted()
      onProblem(name, error)
      return []
    }
  }
  const hasResources = capabilities.resources !== undefined
  const [tools, prompts, resources, templates] = await Promise.all([
    capabilities.tools === undefined ? [] : client.listTools(fresh).toArray(),
    list('prompts', capabilities.prompts !== undefined, () => client.listPrompts(fresh).toArray()),
    list('resources', hasResources, () => client.listResources(fresh).toArray()),
    list('resource templates', hasResources, () => client.listResourceTemplates(fresh).toArray()),
  ])
  return { title: info?.title, instructions, capabilities, tools, prompts, resources, templates }
}
