import { isRpcError, type Revision, supportedRevisions } from '@parley/mcp'
import { type Client, connect } from '@parley/mcp/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { legacyRevisions } from '../../src/wire/revisions.ts'
import { officialEverything, ourEverything, type Program } from './programs.ts'

const calls: readonly (readonly [name: string, args: object])[] = [
  ['echo', { message: 'hello' }],
  ['echo', { message: '' }],
  ['echo', { message: 'ünïcödé \u0000 \u2028 🎈', more: true }],
  ['get-sum', { a: 1, b: 2 }],
  ['get-sum', { a: 0.1, b: 0.2 }],
  ['get-sum', { a: 1e21, b: -0 }],
  ['get-annotated-message', { messageType: 'error' }],
  ['get-annotated-message', { messageType: 'success', includeImage: true }],
  ['get-annotated-message', { messageType: 'debug', includeImage: false }],
  ['get-structured-content', { location: 'New York' }],
  ['get-structured-content', { location: 'Chicago' }],
  ['get-structured-content', { location: 'Los Angeles' }],
  ['get-tiny-image', {}],
  ['get-resource-reference', {}],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 12 }],
  ['get-resource-reference', { resourceId: 0 }],
  ['get-resource-reference', { resourceId: 1.5 }],
  [
    'gzip-file-as-resource',
    { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
  ],
  ['trigger-long-running-operation', { duration: 0.01, steps: 2 }],
  ['trigger-sampling-request', { prompt: 'Why?', maxTokens: 7 }],
]
/** Where only the kind of answer can be the same: texts are each server's own. */
const rejected: typeof calls = [
  ['echo', {}],
  ['get-sum', { a: '1', b: 2 }],
  ['get-annotated-message', { messageType: 'fatal' }],
  ['get-structured-content', { location: 'Oslo' }],
  ['get-resource-links', { count: 0 }],
  ['gzip-file-as-resource', { data: 'ftp://example.com/' }],
]
const prompts: readonly (readonly [name: string, args: Record<string, string>])[] = [
  ['simple-prompt', {}],
  ['args-prompt', { city: 'Oslo' }],
  ['args-prompt', { city: 'Austin', state: 'Texas' }],
  ['completable-prompt', { department: 'Support', name: 'Lee' }],
  ['resource-prompt', { resourceType: 'Text', resourceId: '5' }],
  ['resource-prompt', { resourceType: 'Blob', resourceId: '6' }],
]
const completions = [
  ['completable-prompt', 'department', ''],
  ['completable-prompt', 'department', 'S'],
  ['completable-prompt', 'department', 's'],
  ['completable-prompt', 'name', ''],
  ['resource-prompt', 'resourceType', ''],
  ['resource-prompt', 'resourceType', 'T'],
  ['resource-prompt', 'resourceId', '7'],
  ['resource-prompt', 'resourceId', '0'],
  ['resource-prompt', 'resourceId', 'x'],
] as const

describe.each(supportedRevisions)(
  'in %s our everything server answers as the official one',
  (era) => {
    let ours: Client
    let official: Client

    async function open(program: Program, spoken: Revision): Promise<Client> {
      const client = await connect(program, {
        protocolVersion: spoken,
        sample: ({ messages, maxTokens }) => ({
          role: 'assistant',
          content: { type: 'text', text: JSON.stringify([messages, maxTokens]) },
          model: 'scripted',
        }),
      })
      await vi.waitFor(async () => {
        const tools = await client.listTools().toArray()
        expect(tools.map(({ name }) => name)).toContain('trigger-sampling-request')
      })
      return client
    }

    beforeAll(async () => {
      ours = await open(ourEverything, era)
      // The official one begins with a handshake, whatever else is spoken.
      official = await open(officialEverything, legacyRevisions.includes(era) ? era : '2025-11-25')
    })
    afterAll(async () => {
      await ours.close()
      await official.close()
    })

    test.each(calls)('to %s with %o', async (name, args) => {
      const { content, structuredContent, isError } = await official.callTool(name, args)

      const answer = await ours.callTool(name, args)

      expect(masked([answer.content, answer.isError])).toEqual(masked([content, isError]))
      // The official one sends structured content in revisions that have none, too.
      if (era >= '2025-06-18') expect(answer.structuredContent).toEqual(structuredContent)
    })

    test.each(rejected)('when %s refuses %o', async (name, args) => {
      const expected = await official.callTool(name, args)

      expect(expected.isError).toBe(true)
      expect((await ours.callTool(name, args)).isError).toBe(true)
    })

    test.each(prompts)('to the prompt %s with %o', async (name, args) => {
      const { messages } = await official.getPrompt(name, args)

      expect(masked((await ours.getPrompt(name, args)).messages)).toEqual(masked(messages))
    })

    test.each(completions)('when %s completes %s from "%s"', async (name, argument, value) => {
      const ref = { type: 'ref/prompt', name } as const
      const complete = async (client: Client) =>
        (await client.complete(ref, { name: argument, value })).values

      expect(await complete(ours)).toEqual(await complete(official))
    })

    test.each(['text/1', 'text/999', 'blob/1'])('when resource %s is read', async (path) => {
      const uri = `demo://resource/dynamic/${path}`

      const { contents } = await official.readResource(uri)

      expect(masked((await ours.readResource(uri)).contents)).toEqual(masked(contents))
    })

    test.each(['text/0', 'text/x', 'text/', 'nothing'])('that there is no %s', async (path) => {
      const uri = `demo://resource/dynamic/${path}`
      const read = async (client: Client) =>
        client.readResource(uri).catch((error: unknown) => error)

      expect(isRpcError(await read(official))).toBe(true)
      expect(isRpcError(await read(ours), 'resource_not_found')).toBe(true)
    })
  },
)

/** Without what cannot be the same: times, pictures, and the order in which members are written. */
function masked(value: unknown): unknown {
  const json = JSON.stringify(value, (key, part: unknown) => {
    if (typeof part !== 'string') return part
    if (key === 'data') return 'a picture'
    if (key === 'blob') return maskTime(decode(part))
    return maskTime(part.startsWith('LLM sampling result') ? sortedLines(part) : part)
  })
  return JSON.parse(json)
}

function maskTime(text: string): string {
  return text.replaceAll(/\d+:\d\d:\d\d [AP]M/g, 'a time')
}

/** Compressed data names the platform it was made on, so its length has to do. */
function decode(blob: string): string {
  const bytes = Buffer.from(blob, 'base64')
  return bytes[0] === 0x1f ? `${bytes.length} compressed bytes` : bytes.toString()
}

function sortedLines(text: string): string {
  return text.replaceAll(',\n', '\n').split('\n').toSorted().join('\n')
}
