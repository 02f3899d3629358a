import { expect, test } from 'vitest'

import { createEverything } from '../support/everything.ts'
import { describeServer } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawClient } from '../support/raw-client.ts'

type Fields = Record<string, unknown>

/** One row of "what to send per negotiated version", as the server sends it. */
interface Row {
  readonly item: string
  /** The first revision that has it, or never. */
  readonly since: '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | 'never'
  /** What should be there, or undefined. */
  readonly see: (client: RawClient) => unknown
}

const rows: readonly Row[] = [
  { item: 'Implementation.name', since: '2024-11-05', see: info('name') },
  { item: 'Implementation.title', since: '2025-06-18', see: info('title') },
  { item: 'Implementation.icons [N11-IMPL-01]', since: '2025-11-25', see: info('icons') },
  { item: 'Implementation.description', since: '2025-11-25', see: info('description') },
  { item: 'Implementation.websiteUrl', since: '2025-11-25', see: info('websiteUrl') },
  {
    item: 'InitializeResult.instructions [R1105B-13]',
    since: '2024-11-05',
    see: ({ serverInfo }) => serverInfo.result?.['instructions'],
  },
  { item: 'capability tools', since: '2024-11-05', see: capability('tools') },
  { item: 'capability experimental', since: '2024-11-05', see: capability('experimental') },
  {
    item: 'capability completions [R0326S-06, R1105B-07]',
    since: '2025-03-26',
    see: capability('completions'),
  },
  { item: 'Tool.title', since: '2025-06-18', see: tool('title') },
  { item: 'Tool._meta', since: '2025-06-18', see: tool('_meta') },
  { item: 'Tool.icons', since: '2025-11-25', see: tool('icons') },
  {
    item: 'Tool.annotations [R0326S-05, R1105B-06]',
    since: '2025-03-26',
    see: tool('annotations'),
  },
  { item: 'Tool.outputSchema [XREV-07]', since: '2025-06-18', see: tool('outputSchema') },
  {
    item: 'Tool.outputSchema that is no object [N11-JSCH-08]',
    since: 'never',
    see: async (client) => (await listed(client, 'tools/list', 'tools', 1))['outputSchema'],
  },
  {
    item: 'structuredContent that is an object [XREV-07]',
    since: '2025-06-18',
    see: async (client) => (await call(client, 'forecast', { city: 'Oslo' }))['structuredContent'],
  },
  {
    item: 'structuredContent that is no object',
    since: 'never',
    see: async (client) => (await call(client, 'count'))['structuredContent'],
  },
  {
    item: '_meta of a result',
    since: '2024-11-05',
    see: async (client) => (await call(client, 'blocks'))['_meta'],
  },
  { item: 'content text', since: '2024-11-05', see: block('text') },
  { item: 'content image', since: '2024-11-05', see: block('image') },
  { item: 'content resource', since: '2024-11-05', see: block('resource') },
  { item: 'content audio [R0326S-04, R1105B-05]', since: '2025-03-26', see: block('audio') },
  { item: 'content resource_link', since: '2025-06-18', see: block('resource_link') },
  {
    item: 'resource_link icons',
    since: '2025-11-25',
    see: member(block('resource_link'), 'icons'),
  },
  { item: 'content block _meta', since: '2025-06-18', see: member(block('text'), '_meta') },
  {
    item: 'annotations.audience on a block [R1105B-09]',
    since: '2024-11-05',
    see: member(member(block('text'), 'annotations'), 'audience'),
  },
  {
    item: 'annotations.lastModified on a block',
    since: '2025-06-18',
    see: member(member(block('image'), 'annotations'), 'lastModified'),
  },
  {
    item: 'annotations on an embedded resource [R1105B-09]',
    since: '2024-11-05',
    see: member(member(block('resource'), 'annotations'), 'priority'),
  },
  { item: 'Resource.title', since: '2025-06-18', see: resource('title') },
  { item: 'Resource._meta', since: '2025-06-18', see: resource('_meta') },
  { item: 'Resource.icons', since: '2025-11-25', see: resource('icons') },
  { item: 'Resource.size', since: '2024-11-05', see: resource('size') },
  { item: 'Resource.name [R0326S-02]', since: '2024-11-05', see: resource('name') },
  {
    item: 'Resource.annotations.priority [R1105B-09]',
    since: '2024-11-05',
    see: member(resource('annotations'), 'priority'),
  },
  {
    item: 'Resource.annotations.lastModified',
    since: '2025-06-18',
    see: member(resource('annotations'), 'lastModified'),
  },
  { item: 'ResourceTemplate.title', since: '2025-06-18', see: template('title') },
  { item: 'ResourceTemplate.icons', since: '2025-11-25', see: template('icons') },
  { item: 'ResourceTemplate._meta', since: '2025-06-18', see: template('_meta') },
  {
    item: 'ResourceTemplate.annotations.audience [R1105B-09]',
    since: '2024-11-05',
    see: member(template('annotations'), 'audience'),
  },
  {
    item: 'ResourceTemplate.annotations.lastModified',
    since: '2025-06-18',
    see: member(template('annotations'), 'lastModified'),
  },
  {
    item: 'contents _meta',
    since: '2025-06-18',
    see: async (client) => {
      const { result } = await client.request('resources/read', { uri: 'notes://fixed' })
      return ((result?.['contents'] ?? []) as Fields[])[0]?.['_meta']
    },
  },
  { item: 'Prompt.title', since: '2025-06-18', see: prompt('title') },
  { item: 'Prompt.icons', since: '2025-11-25', see: prompt('icons') },
  { item: 'Prompt._meta', since: '2025-06-18', see: prompt('_meta') },
  {
    item: 'PromptArgument.title',
    since: '2025-06-18',
    see: async (client) => ((await prompt('arguments')(client)) as Fields[])[0]?.['title'],
  },
  {
    item: 'PromptArgument.description',
    since: '2024-11-05',
    see: async (client) => ((await prompt('arguments')(client)) as Fields[])[0]?.['description'],
  },
  {
    item: 'audio in a prompt [R0326S-04, R1105B-05]',
    since: '2025-03-26',
    see: async (client) => (await promptTypes(client)).find((type) => type === 'audio'),
  },
  {
    item: 'resource_link in a prompt',
    since: '2025-06-18',
    see: async (client) => (await promptTypes(client)).find((type) => type === 'resource_link'),
  },
  { item: 'progress total', since: '2024-11-05', see: progress('total') },
  {
    item: 'progress message [R0326S-07, R1105B-08]',
    since: '2025-03-26',
    see: progress('message'),
  },
]

describeServer('the server keeps to the revision', ({ revision, rawClient }) => {
  // Each row in each revision is a statement of its own, so that by day two channels show it and not two cells of the row.
  test.each(rows)(
    `in ${revision}: $item, since $since [XREV-01, XREV-08, R0326S-03, R1105B-15, N11-ICON-01, N11-CAP-04]`,
    async ({ since, see }) => {
      const client = await rawClient(createEverything())

      const seen = await see(client)

      if (revision >= since) expect(seen).toBeDefined() // no revision is later than 'never'
      else expect(seen).toBeUndefined()
      await client.close()
    },
  )
})

function info(name: string): Row['see'] {
  return ({ serverInfo }) => ((serverInfo.result?.['serverInfo'] ?? {}) as Fields)[name]
}

function capability(name: string): Row['see'] {
  return ({ serverInfo }) => ((serverInfo.result?.['capabilities'] ?? {}) as Fields)[name]
}

async function listed(client: RawClient, method: string, list: string, index = 0): Promise<Fields> {
  const { result } = await client.request(method)
  return ((result?.[list] ?? []) as Fields[])[index] ?? {}
}

function tool(name: string): Row['see'] {
  return async (client) => (await listed(client, 'tools/list', 'tools'))[name]
}

function resource(name: string): Row['see'] {
  return async (client) => (await listed(client, 'resources/list', 'resources'))[name]
}

function template(name: string): Row['see'] {
  return async (client) =>
    (await listed(client, 'resources/templates/list', 'resourceTemplates'))[name]
}

function prompt(name: string): Row['see'] {
  return async (client) => (await listed(client, 'prompts/list', 'prompts'))[name]
}

async function promptTypes(client: RawClient): Promise<readonly unknown[]> {
  const { result } = await client.request('prompts/get', {
    name: 'review',
    arguments: { code: '' },
  })
  return ((result?.['messages'] ?? []) as { content: Fields }[]).map(
    ({ content }) => content['type'],
  )
}

async function call(client: RawClient, name: string, args: object = {}): Promise<Fields> {
  const { result } = await client.request('tools/call', { name, arguments: args })
  return result ?? {}
}

function block(type: string): Row['see'] {
  return async (client) => {
    const { content } = await call(client, 'blocks')
    return (content as Fields[]).find((one) => one['type'] === type)
  }
}

function member(see: Row['see'], name: string): Row['see'] {
  return async (client) => ((await see(client)) as Fields | undefined)?.[name]
}

function progress(name: string): Row['see'] {
  return async (client) => {
    const _meta = { progressToken: 'p' }
    await client.request('tools/call', { name: 'work', arguments: {}, _meta })
    const isProgress = ({ method }: Raw) => method === 'notifications/progress'
    return client.received.find(isProgress)?.params?.[name]
  }
}
