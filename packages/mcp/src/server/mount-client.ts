import type { ServerCapabilities } from '../schema/capabilities.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Progress } from '../schema/progress.ts'
import type { GetPromptResult, Prompt } from '../schema/prompts.ts'
import type { ReadResourceResult, Resource, ResourceTemplate } from '../schema/resources.ts'
import type { Tool } from '../schema/tools.ts'
import type { Completer } from './completion/completion.ts'
import { createServer } from './create-server.ts'
import type { Registration } from './feature.ts'
import type { MountOptions, Server } from './server.ts'
import { toolResult } from './tools/tool-result.ts'

interface ForwardOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}
interface WholeList<Item> {
  toArray(): Promise<readonly Item[]>
}

/** The members of a client that are used here; what `connect()` returns has them. */
export interface MountedClient {
  /** Name and capabilities of the remote server. */
  readonly server: {
    readonly info?: Implementation | undefined
    readonly capabilities: ServerCapabilities
  }
  /** Its tools. */
  listTools(): WholeList<Tool>
  /** Calls one of its tools. */
  callTool(name: string, args: object, options: ForwardOptions): Promise<object>
  /** Its resources. */
  listResources(): WholeList<Resource>
  /** Its URI templates. */
  listResourceTemplates(): WholeList<ResourceTemplate>
  /** Reads one of its resources. */
  readResource(uri: string, options: ForwardOptions): Promise<ReadResourceResult>
  /** Its prompts. */
  listPrompts(): WholeList<Prompt>
  /** Fills in one of its prompts. */
  getPrompt(
    name: string,
    args: { readonly [name: string]: string },
    options: ForwardOptions,
  ): Promise<GetPromptResult>
  /** Asks it for suggestions. */
  complete(
    ref: { readonly type: 'ref/prompt'; readonly name: string },
    argument: { readonly name: string; readonly value: string },
    options: { readonly known?: { readonly [name: string]: string } },
  ): Promise<{ readonly values: readonly string[] }>
}

/**
 * Serves the features of the server behind a client under a prefix, as they are now. Calls, reads, prompts and completion
 * are forwarded, with the caller's signal and progress. Input requests of the remote server go to the client's handlers.
 */
export async function mountClient(
  server: Pick<Server<never, unknown>, 'mount'>,
  prefix: string,
  client: MountedClient,
  options?: MountOptions,
): Promise<Registration> {
  const { info, capabilities } = client.server
  const remote = createServer({ name: info?.name ?? prefix, version: info?.version ?? '0' })
  const [tools, prompts, resources, templates] = await Promise.all([
    capabilities.tools ? client.listTools().toArray() : [],
    capabilities.prompts ? client.listPrompts().toArray() : [],
    capabilities.resources ? client.listResources().toArray() : [],
    capabilities.resources ? client.listResourceTemplates().toArray() : [],
  ])
  for (const tool of tools) addTool(remote, client, tool)
  for (const prompt of prompts) addPrompt(remote, client, prompt)
  for (const { uri, ...config } of resources) {
    remote.resource(uri, config, (_, { signal }) => client.readResource(uri, { signal }))
  }
  for (const { uriTemplate, ...config } of templates) {
    remote.resource(uriTemplate, config, (_, { uri, signal }) =>
      client.readResource(uri, { signal }),
    )
  }
  return server.mount(prefix, remote, options)
}

function addTool(remote: Server, client: MountedClient, tool: Tool): void {
  const { name, outputSchema, execution: _, ...config } = tool
  if (outputSchema === undefined) {
    remote.tool(name, config, async (args, { signal, progress }) => {
      const result = await client.callTool(name, args, { signal, onProgress: forward(progress) })
      return result // a client has checked it
    })
    return
  }
  remote.tool(name, { ...config, outputSchema }, async (args, { signal, progress }) => {
    const result = await client.callTool(name, args, { signal, onProgress: forward(progress) })
    return toolResult<never>(result)
  })
}

function forward(progress: (progress: Progress) => Promise<void>): (progress: Progress) => void {
  return (value) => void progress(value)
}

function addPrompt(remote: Server, client: MountedClient, prompt: Prompt): void {
  const { name, arguments: args = [], ...config } = prompt
  const properties = Object.fromEntries(
    args.map(({ name: argument, title, description }) => [
      argument,
      { type: 'string', ...(title && { title }), ...(description && { description }) },
    ]),
  )
  const required = args.filter((argument) => argument.required).map((argument) => argument.name)
  const argumentsSchema = { type: 'object', properties, required } as const
  const ref = { type: 'ref/prompt', name } as const
  const complete: Record<string, Completer> = {}
  for (const argument of client.server.capabilities.completions ? args : []) {
    complete[argument.name] = async (value, values) =>
      (await client.complete(ref, { name: argument.name, value }, { known: values })).values
  }
  remote.prompt(name, { ...config, argumentsSchema, complete }, (input, { signal }) =>
    client.getPrompt(name, input as Record<string, string>, { signal }),
  ) // arguments of prompts are text
}
