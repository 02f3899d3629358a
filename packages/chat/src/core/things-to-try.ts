/** What is needed of a server to suggest something. */
export interface TriedServer {
  readonly name: string
  readonly tools: readonly { readonly name: string; readonly mention: string }[]
  readonly prompts: readonly { readonly name: string }[]
}

/** Something to say first. */
export interface ThingToTry {
  readonly title: string
  readonly text: string
  /** The server it uses. */
  readonly server?: string
}

/** Three things that work with what is there. The scripted model only understands `call`. */
export function thingsToTry(servers: readonly TriedServer[], model: string): readonly ThingToTry[] {
  const tools = servers.flatMap(({ name: server, tools: own }) =>
    own.map((tool) => ({ ...tool, server })),
  )
  const harmless = tools.find(({ name }) => /echo|time|list|status|search/i.test(name)) ?? tools[0]
  const [prompt] = servers.flatMap(({ name: server, prompts }) =>
    prompts.map(({ name }) => ({ server, name })),
  )
  const first: ThingToTry = {
    title: 'See what there is',
    text: 'What can you do with the tools you have?',
  }
  const second: ThingToTry =
    harmless === undefined
      ? {
          title: 'Ask something',
          text: 'Explain the Model Context Protocol in three sentences.',
        }
      : {
          title: `Try ${harmless.name}`,
          server: harmless.server,
          text:
            model === 'scripted'
              ? `call ${harmless.mention} ${example(harmless.name)}`.trim()
              : `Try @${harmless.mention} and tell me what it answers.`,
        }
  const third: ThingToTry =
    prompt === undefined
      ? { title: 'Show a picture', text: 'Describe this picture. (Paste one first.)' }
      : {
          title: `Run the prompt ${prompt.name}`,
          server: prompt.server,
          text: `/${prompt.server}.${prompt.name}`,
        }
  return [first, second, third]
}

function example(name: string): string {
  return /echo/i.test(name) ? '{"message": "Hello"}' : ''
}
