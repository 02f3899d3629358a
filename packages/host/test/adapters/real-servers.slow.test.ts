import { execFileSync } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { toAiTools, toAnthropicTools, toLangChainTools, toOpenAiTools } from '@parley/host/adapters'
import { connect, type Client } from '@parley/mcp/client'
import { generateText, stepCountIs } from 'ai'
import OpenAi from 'openai'
import { expect, onTestFinished, test } from 'vitest'

import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'

const consent = 'allow'
const question = { role: 'user', content: 'Hello.' } as const

test('the tools of ten real servers go to every package, and are called', async () => {
  const folder = folderWith({ 'hello.txt': 'Hello from a file.' })
  execFileSync('git', ['init', '-q', folder])
  const servers = await connectAll(folder)
  await using endpoint = await openModelEndpoint((request) =>
    request.index === 0
      ? {
          calls: [
            { name: 'filesystem__read_text_file', arguments: { path: `${folder}/hello.txt` } },
            { name: 'official-everything__echo', arguments: { message: 'from afar' } },
            { name: 'official-memory__read_graph', arguments: {} },
          ],
        }
      : 'Done.',
  )
  const { baseUrl, origin } = endpoint

  const { text } = await generateText({
    model: createOpenAICompatible({ name: 'stub', baseURL: baseUrl })('m'),
    tools: await toAiTools(servers, { consent }),
    stopWhen: stepCountIs(3),
    prompt: 'Hello.',
  })
  const openai = new OpenAi({ baseURL: baseUrl, apiKey: 'k' })
  const { chat, responses } = await toOpenAiTools(servers, { consent })
  await openai.chat.completions.create({ model: 'm', messages: [question], tools: chat.tools })
  await openai.responses.create({ model: 'm', input: [question], tools: responses.tools })
  const { tools } = await toAnthropicTools(servers, { consent })
  const anthropic = new Anthropic({ baseURL: origin, apiKey: 'k' })
  await anthropic.messages.create({ model: 'm', max_tokens: 9, messages: [question], tools })
  const chain = await toLangChainTools(servers, { consent, DynamicStructuredTool })
  const described = chain.map((tool) => convertToOpenAITool(tool))
  await openai.chat.completions.create({ model: 'm', messages: [question], tools: described })

  expect(text).toBe('Done.')
  const results = JSON.stringify(endpoint.requests[1]?.body['messages'])
  expect(results).toContain('Hello from a file.')
  expect(results).toContain('from afar')
  expect(results).toContain('entities')
  // The endpoint refuses names that are too long, have other characters, or are used twice.
  expect(chat.tools.length).toBeGreaterThan(80)
  expect(described).toHaveLength(chat.tools.length)
  expect(endpoint.requests.map(({ api }) => api)).toEqual([
    'chat',
    'chat',
    'chat',
    'responses',
    'messages',
    'chat',
  ])
})

async function connectAll(folder: string): Promise<{ [name: string]: Client }> {
  const programs: { readonly [name: string]: readonly string[] } = {
    everything: ['servers/everything/dist/main.js', 'stdio'],
    fetch: ['servers/fetch/dist/main.js'],
    filesystem: ['servers/filesystem/dist/main.js', folder],
    git: ['servers/git/dist/main.js', '--repository', folder],
    memory: ['servers/memory/dist/main.js'],
    'sequential-thinking': ['servers/sequential-thinking/dist/main.js'],
    time: ['servers/time/dist/main.js'],
    'official-everything': [`${official}everything/dist/index.js`, 'stdio'],
    'official-filesystem': [`${official}filesystem/dist/index.js`, folder],
    'official-memory': [`${official}memory/dist/index.js`],
  }
  const clients = await Promise.all(
    Object.entries(programs).map(async ([name, [file = '', ...args]]) => {
      const program = fileURLToPath(new URL(`../../../../${file}`, import.meta.url))
      const env = { MEMORY_FILE_PATH: `${folder}/${name}.jsonl` } // for two of them
      const client = await connect({ command: execPath, args: [program, ...args], env })
      onTestFinished(() => client.close(), 60_000)
      return [name, client] as const
    }),
  )
  return Object.fromEntries(clients)
}

const official = 'node_modules/@modelcontextprotocol/server-'
