import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { toLangChainTools } from '@parley/host/adapters'
import OpenAi from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { expect, test } from 'vitest'

import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { consentThat, openWorkshop } from './workshop.ts'

test('a whole loop: LangChain describes the tools, runs the calls, and keeps the messages', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint([
    {
      calls: [
        { name: 'workshop__add', arguments: { a: 1, b: 2 } },
        { name: 'workshop__fail', arguments: {} },
      ],
    },
    'It is 3.',
  ])
  const openai = new OpenAi({ baseURL: endpoint.baseUrl, apiKey: 'k' })
  const consent = consentThat()
  const tools = await toLangChainTools(
    { workshop: workshop.client },
    { consent, DynamicStructuredTool, ToolMessage },
  )

  const messages: BaseMessage[] = [new HumanMessage('Add 1 and 2.')]
  let last: AIMessage
  do {
    last = await complete(openai, messages, tools)
    const results = (last.tool_calls ?? []).map(async (call): Promise<BaseMessage> => {
      const tool = tools.find(({ name }) => name === call.name)
      return (await tool?.invoke({ ...call, type: 'tool_call' })) as ToolMessage // given a call, it answers with one
    })
    messages.push(last, ...(await Promise.all(results)))
  } while ((last.tool_calls ?? []).length > 0)

  expect(last.text).toBe('It is 3.')
  expect(workshop.called).toEqual(['add', 'fail'])
  expect(consent.asked.map((batch) => batch.length)).toEqual([2])
  expect(messages[2]).toBeInstanceOf(ToolMessage)
  expect(messages[2]).toMatchObject({ status: 'success', artifact: { sum: 3 } })
  expect(messages[3]).toBeInstanceOf(ToolMessage)
  expect(messages[3]).toMatchObject({ status: 'error' })
  expect(messages[3]?.text).toContain('The saw is blunt.')
})

test('images are parts of the content; refusals are text without the message class', async () => {
  await using workshop = await openWorkshop()
  const tools = await toLangChainTools(
    { workshop: workshop.client },
    { consent: consentThat(['add']), DynamicStructuredTool },
  )
  const run = (name: string, args: object) =>
    tools.find((tool) => tool.name === `workshop__${name}`)?.invoke(args)

  expect(await run('chart', {})).toMatchObject([
    { type: 'text', text: expect.stringContaining('A chart:') },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,cGljdHVyZQ==' } },
  ])
  expect(await run('add', { a: 1, b: 2 })).toBe('Error: add is not allowed here')
  await expect(run('add', { a: 'one' })).rejects.toThrow(/schema/)
  expect(workshop.called).toEqual(['chart'])
})

test('a signal cancels the call on the server', async () => {
  await using workshop = await openWorkshop()
  const stop = new AbortController()
  const tools = await toLangChainTools(
    { workshop: workshop.client },
    { consent: 'allow', DynamicStructuredTool, onProgress: () => stop.abort() },
  )

  const waiting = tools.find(({ name }) => name === 'workshop__wait')
  await expect(waiting?.invoke({}, { signal: stop.signal })).rejects.toThrow()
  await workshop.cancelled
})

/** As the chat models of LangChain do it, which are packages of their own. */
async function complete(
  openai: OpenAi,
  messages: readonly BaseMessage[],
  tools: readonly DynamicStructuredTool[],
): Promise<AIMessage> {
  const completion = await openai.chat.completions.create({
    model: 'm',
    messages: messages.map(chatMessage),
    tools: tools.map((tool) => convertToOpenAITool(tool)),
  })
  const { content, tool_calls = [] } = completion.choices[0]!.message
  const calls = tool_calls.flatMap((call) => (call.type === 'function' ? [call] : []))
  return new AIMessage({
    content: content ?? '',
    tool_calls: calls.map(({ id, function: { name, arguments: text } }) => {
      return { id, name, args: JSON.parse(text) as Record<string, unknown> } // scripted so
    }),
  })
}

function chatMessage(message: BaseMessage): ChatCompletionMessageParam {
  if (message instanceof ToolMessage) {
    return { role: 'tool', tool_call_id: message.tool_call_id, content: message.text }
  }
  if (!(message instanceof AIMessage)) return { role: 'user', content: message.text }
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }))
  return { role: 'assistant', content: message.text, tool_calls: calls }
}
