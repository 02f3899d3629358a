import { errorType } from './chat-wire.ts'
import {
  argumentsProblem,
  callsOf,
  finishOf,
  listOf,
  piecesOf,
  textOf,
  toolNameProblem,
  usageOf,
  type EndpointAnswer,
  type Frame,
  type NumberedCall,
  type Wire,
  type WireRequest,
} from './wire.ts'

/** OpenAI's `POST /responses`. */
export const responsesWire: Wire = {
  frames(answer, request) {
    const frames: Frame[] = [event('response.created', { response: head(request, 'in_progress') })]
    let index = 0
    if (answer.reasoning !== undefined) {
      frames.push(...reasoningFrames(answer.reasoning, request, index))
      index += 1
    }
    if (answer.text !== undefined) {
      frames.push(...textFrames(answer, request, index))
      index += 1
    }
    for (const call of callsOf(answer, request)) {
      frames.push(...callFrames(call, index))
      index += 1
    }
    const end = finishOf(answer) === 'length' ? 'response.incomplete' : 'response.completed'
    const response = whole(answer, request)
    return [...frames, { ...event(end, { response }), isEnd: true }].map(numbered)
  },

  body: whole,
  error: (status, message) => ({
    error: { message, type: errorType(status), param: null, code: null },
  }),
  errorFrame: (message) =>
    event('error', {
      sequence_number: 99,
      code: 'server_error',
      message,
      param: null,
      error: { type: 'server_error', code: 'server_error', message, param: null },
    }),

  problem(body) {
    const items = listOf(body['input'])
    const calls = items.filter((item) => item['type'] === 'function_call')
    const outputs = items.filter((item) => item['type'] === 'function_call_output')
    const ids = calls.map((call) => call['call_id'])
    const lonely = outputs.find((output) => !ids.includes(output['call_id']))
    if (lonely !== undefined) return `no tool call found for ${String(lonely['call_id'])}`
    const open = ids.find((id) => !outputs.some((output) => output['call_id'] === id))
    if (open !== undefined) return `no tool output found for function call ${JSON.stringify(open)}`
    return (
      toolNameProblem(listOf(body['tools']).map((tool) => tool['name'])) ??
      calls.map((call) => argumentsProblem(call['arguments'])).find(Boolean)
    )
  },
}

function event(type: string, fields: object, hasContent = false): Frame {
  return { event: type, data: { type, ...fields }, ...(hasContent && { hasContent }) }
}

function numbered(frame: Frame, index: number): Frame {
  return { ...frame, data: { ...(frame.data as object), sequence_number: index } } // made by `event`
}

function reasoningFrames(text: string, request: WireRequest, index: number): Frame[] {
  const item = reasoningItem(text, request)
  const at = { item_id: item.id, output_index: index, summary_index: 0 }
  return [
    event('response.output_item.added', { output_index: index, item: { ...item, summary: [] } }),
    event('response.reasoning_summary_part.added', {
      ...at,
      part: { type: 'summary_text', text: '' },
    }),
    event('response.reasoning_summary_text.delta', { ...at, delta: text }, true),
    event('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } }),
    event('response.output_item.done', { output_index: index, item }),
  ]
}

/** What has to come back with the next request. */
function reasoningItem(text: string, { index }: WireRequest) {
  return {
    type: 'reasoning',
    id: `rs_${index}`,
    encrypted_content: `sealed-${index}`,
    summary: [{ type: 'summary_text', text }],
  }
}

function textFrames(answer: EndpointAnswer, request: WireRequest, index: number): Frame[] {
  const item = messageItem(answer, request)
  const at = { item_id: item.id, output_index: index, content_index: 0 }
  const part = { type: 'output_text', text: '', annotations: [] }
  return [
    event('response.output_item.added', { output_index: index, item: { ...item, content: [] } }),
    event('response.content_part.added', { ...at, part }),
    ...piecesOf(answer.text).map((delta) =>
      event('response.output_text.delta', { ...at, delta }, true),
    ),
    event('response.output_text.done', { ...at, text: textOf(answer) }),
    event('response.content_part.done', { ...at, part: { ...part, text: textOf(answer) } }),
    event('response.output_item.done', { output_index: index, item }),
  ]
}

function messageItem(answer: EndpointAnswer, { index }: WireRequest) {
  const content = [{ type: 'output_text', text: textOf(answer), annotations: [] }]
  return { type: 'message', id: `msg_${index}`, status: 'completed', role: 'assistant', content }
}

function callFrames(call: NumberedCall, index: number): Frame[] {
  const item = callItem(call)
  const at = { item_id: item.id, output_index: index }
  return [
    event(
      'response.output_item.added',
      { output_index: index, item: { ...item, arguments: '', status: 'in_progress' } },
      true,
    ),
    ...call.pieces.map((delta) =>
      event('response.function_call_arguments.delta', { ...at, delta }),
    ),
    event('response.function_call_arguments.done', { ...at, arguments: call.text }),
    event('response.output_item.done', { output_index: index, item }),
  ]
}

function callItem({ id, name, text }: NumberedCall) {
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: text,
    status: 'completed',
  }
}

function whole(answer: EndpointAnswer, request: WireRequest) {
  const { inputTokens, outputTokens } = usageOf(answer)
  const isCut = finishOf(answer) === 'length'
  return {
    ...head(request, isCut ? 'incomplete' : 'completed'),
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: [
      ...(answer.reasoning === undefined ? [] : [reasoningItem(answer.reasoning, request)]),
      ...(answer.text === undefined ? [] : [messageItem(answer, request)]),
      ...callsOf(answer, request).map(callItem),
    ],
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }
}

function head({ model, index }: WireRequest, status: string) {
  return {
    id: `resp_${index}`,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: null,
    model,
    output: [],
    parallel_tool_calls: true,
    tools: [],
  }
}
