import { errorType } from './chat-wire.ts'
import {
  callsOf,
  finishOf,
  listOf,
  piecesOf,
  textOf,
  toolNameProblem,
  usageOf,
  type EndpointAnswer,
  type Frame,
  type Wire,
  type WireBody,
  type WireRequest,
} from './wire.ts'

/** Anthropic's `POST /messages`. */
export const messagesWire: Wire = {
  frames(answer, request) {
    const { inputTokens, outputTokens } = usageOf(answer)
    const message = {
      ...head(request),
      content: [],
      stop_reason: null,
      usage: { input_tokens: inputTokens, output_tokens: 0 },
    }
    const delta = { stop_reason: stopReasons[finishOf(answer)], stop_sequence: null }
    return [
      event('message_start', { message }),
      ...contentFrames(answer, request),
      {
        ...event('message_delta', { delta, usage: { output_tokens: outputTokens } }),
        isEnd: true,
      },
      { ...event('message_stop', {}), isEnd: true },
    ]
  },

  body(answer, request) {
    const { inputTokens, outputTokens } = usageOf(answer)
    return {
      ...head(request),
      content: blocksOf(answer, request).map(({ block }) => block),
      stop_reason: stopReasons[finishOf(answer)],
      usage: { input_tokens: inputTokens, output_tokens: outputTokens },
    }
  },

  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
  errorFrame: (message) => event('error', { error: { type: 'overloaded_error', message } }),

  problem(body) {
    const messages = listOf(body['messages'])
    if (typeof body['max_tokens'] !== 'number') return 'max_tokens: Field required'
    if (messages[0]?.['role'] !== 'user') return 'messages: first message must use the "user" role'
    const names = listOf(body['tools']).map((tool) => tool['name'])
    return (
      toolNameProblem(names) ?? messages.map((_, at) => messageProblem(messages, at)).find(Boolean)
    )
  },
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  calls: 'tool_use',
  filter: 'refusal',
}

interface Block {
  readonly block: object
  /** The block before its deltas. */
  readonly start: object
  readonly deltas: readonly object[]
}

function blocksOf(answer: EndpointAnswer, request: WireRequest): readonly Block[] {
  const blocks: Block[] = []
  if (answer.reasoning !== undefined) {
    const [thinking, signature] = [answer.reasoning, `signature-${request.index}`]
    blocks.push({
      block: { type: 'thinking', thinking, signature },
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ],
    })
  }
  if (answer.text !== undefined) {
    blocks.push({
      block: { type: 'text', text: textOf(answer) },
      start: { type: 'text', text: '' },
      deltas: piecesOf(answer.text).map((text) => ({ type: 'text_delta', text })),
    })
  }
  for (const { id, name, text, pieces } of callsOf(answer, request)) {
    blocks.push({
      block: { type: 'tool_use', id, name, input: inputOf(text) },
      start: { type: 'tool_use', id, name, input: {} },
      deltas: pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    })
  }
  return blocks
}

function contentFrames(answer: EndpointAnswer, request: WireRequest): Frame[] {
  return blocksOf(answer, request).flatMap(({ start, deltas }, index) => [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta }, true)),
    event('content_block_stop', { index }),
  ])
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {} // the whole form cannot say it
  }
}

/** Every `tool_use` is answered in the next message, and nothing else is. */
function messageProblem(messages: readonly WireBody[], at: number): string | undefined {
  const { role, content } = messages[at] ?? {}
  const used = idsOf(content, 'tool_use', 'id')
  if (role === 'assistant' && messages[at - 1]?.['role'] === 'assistant') {
    return `messages.${at}: roles must alternate`
  }
  const answered = idsOf(messages[at + 1]?.['content'], 'tool_result', 'tool_use_id')
  const open = used.find((id) => !answered.includes(id))
  if (open !== undefined)
    return `messages.${at}: tool_use id ${JSON.stringify(open)} without tool_result`
  const asked = idsOf(messages[at - 1]?.['content'], 'tool_use', 'id')
  const lonely = idsOf(content, 'tool_result', 'tool_use_id').find((id) => !asked.includes(id))
  if (lonely !== undefined)
    return `messages.${at}: unexpected tool_use_id ${JSON.stringify(lonely)}`
  const wrong = listOf(content).find(
    (block) => block['type'] === 'tool_use' && isNoObject(block['input']),
  )
  return wrong === undefined ? undefined : `messages.${at}: tool_use input must be an object`
}

function idsOf(content: unknown, type: string, name: string): readonly unknown[] {
  return listOf(content)
    .filter((block) => block['type'] === type)
    .map((block) => block[name])
}

function isNoObject(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Array.isArray(value)
}

function event(type: string, fields: object, hasContent = false): Frame {
  return { event: type, data: { type, ...fields }, ...(hasContent && { hasContent }) }
}

function head({ model, index }: WireRequest) {
  return { id: `msg_${index}`, type: 'message', role: 'assistant', model, stop_sequence: null }
}
