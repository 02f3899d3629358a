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
}

/** Three things that work with what is there. The scripted model only understands `call`. */
export function thingsToTry(servers: readonly TriedServer[], model: string): readonly ThingToTry[] {
  const tools = servers.flatMap((server) => server.tools)
  const harmless = tools.find(({ name }) => /echo|time|list|status|search/i.test(name)) ?? tools[0]
  const prompt = servers.flatMap((server) =>
    server.prompts.map(({ name }) => `/${server.name}.${name}`),
  )[0]
  const first: ThingToTry = {
    title: 'See what there is',
    text: 'What can you do with the tools you have?',
  }
  const second: ThingToTry =
    harmless === undefined
      ? { title: 'Ask something', text: 'Explain the Model Context Protocol in three sentences.' }
      : model === 'scripted'
        ? {
            title: 'Call a tool',
            text: `call ${harmless.mention} ${example(harmless.name)}`.trim(),
          }
        : { title: 'Use a tool', text: `Try @${harmless.mention} and tell me what it answers.` }
  const third: ThingToTry =
    prompt === undefined
      ? { title: 'Attach something', text: 'Describe this picture. (Paste one first.)' }
      : { title: 'Use a prompt of a server', text: prompt }
  return [first, second, third]
}

function example(name: string): string {
  return /echo/i.test(name) ? '{"message": "Hello"}' : ''
}
