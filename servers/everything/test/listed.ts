import { openPlainClient, untilListed, type Described } from './plain-client.ts'

/** What a server says of itself, without descriptions, to a client that can do all there is in 2025-11-25. */
export interface Listed {
  readonly server: Described
  readonly tools: readonly Described[]
  readonly prompts: readonly Described[]
  readonly resources: readonly Described[]
  readonly templates: readonly Described[]
}

/** Asks a program by plain messages. */
export async function listedBy(program: string): Promise<Listed> {
  using client = await openPlainClient(program)
  const tools = await untilListed(client)
  const { prompts } = await client.ask('prompts/list')
  const { resources } = await client.ask('resources/list')
  const { resourceTemplates: templates } = await client.ask('resources/templates/list')
  const { server } = client
  return JSON.parse(
    JSON.stringify({ server, tools, prompts, resources, templates }, withoutWords),
  ) as Listed // what the methods answer with
}

/** Descriptions are each server's own, and a dialect nobody has to name says nothing. */
function withoutWords(key: string, value: unknown): unknown {
  return key === 'description' || key === '$schema' || key === 'instructions' ? undefined : value
}
