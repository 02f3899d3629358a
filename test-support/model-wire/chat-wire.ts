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
  type Wire,
  type WireBody,
  type WireRequest,
} from './wire.ts'

/** OpenAI's `POST /chat/completions`. */
export const chatWire: Wire = {
  frames(answer, request) {
    const frames: Frame[] = [{ data: chunk(request, { role: 'assistant', content: '' }) }]
    if (answer.reasoning !== undefined) {
      frames.push({
        data: chunk(request, { reasoning_content: answer.reasoning }),
        hasContent: true,
      })
    }
    for (const content of piecesOf(answer.text)) {
      frames.push({ data: chunk(request, { content }), hasContent: true })
    }
    frames.push(...callFrames(answer, request))
    frames.push({ data: chunk(request, {}, finishReasons[finishOf(answer)]), isEnd: true })
    frames.push({
      data: { ...chunk(request, {}), choices: [], usage: usage(answer) },
      isEnd: true,
    })
    frames.push({ data: '[DONE]', isEnd: true })
    return frames
  },

  body(answer, request) {
    const calls = callsOf(answer, request).map(({ id, name, text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }))
    const message = {
      role: 'assistant',
      content: textOf(answer) || null,
      refusal: null,
      ...(calls.length > 0 && { tool_calls: calls }),
    }
    return {
      ...head(request, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishReasons[finishOf(answer)] }],
      usage: usage(answer),
    }
  },

  error: (status, message) => ({ error: { message, type: errorType(status), code: null } }),
  errorFrame: (message) => ({ data: { error: { message, type: 'server_error', code: null } } }),

  problem(body) {
    const messages = listOf(body['messages'])
    if (messages.length === 0) return "'messages' must not be empty"
    const names = listOf(body['tools']).map((tool) => functionOf(tool)['name'])
    return (
      toolNameProblem(names) ?? messages.map((_, at) => messageProblem(messages, at)).find(Boolean)
    )
  },
}

const finishReasons = {
  stop: 'stop',
  length: 'length',
  calls: 'tool_calls',
  filter: 'content_filter',
}

function callFrames(answer: EndpointAnswer, request: WireRequest): Frame[] {
  const frames: Frame[] = []
  for (const [index, { id, name, pieces }] of callsOf(answer, request).entries()) {
    const first = { index, id, type: 'function', function: { name, arguments: '' } }
    frames.push({ data: chunk(request, { tool_calls: [first] }), hasContent: true })
    for (const piece of pieces) {
      frames.push({
        data: chunk(request, { tool_calls: [{ index, function: { arguments: piece } }] }),
      })
    }
  }
  return frames
}

/** Every call is answered right behind the message that asked for it, and nothing else is. */
function messageProblem(messages: readonly WireBody[], at: number): string | undefined {
  const message = messages[at] ?? {}
  const calls = listOf(message['tool_calls'])
  if (message['role'] === 'tool') {
    const asking = messages.slice(0, at).findLast((one) => one['role'] !== 'tool')
    const known = listOf(asking?.['tool_calls']).map((call) => call['id'])
    return known.includes(message['tool_call_id'])
      ? undefined
      : `messages[${at}]: no preceding tool call "${String(message['tool_call_id'])}"`
  }
  const end = messages.findIndex((one, index) => index > at && one['role'] !== 'tool')
  const answers = messages.slice(at + 1, end === -1 ? undefined : end)
  const missing = calls.find((call) => !answers.some((one) => one['tool_call_id'] === call['id']))
  if (missing !== undefined) return `tool call "${String(missing['id'])}" was not answered`
  return calls.map((call) => argumentsProblem(functionOf(call)['arguments'])).find(Boolean)
}

function functionOf(value: WireBody): WireBody {
  const inner = value['function']
  return typeof inner === 'object' && inner !== null ? (inner as WireBody) : {} // as in `listOf`
}

function chunk(request: WireRequest, delta: object, finish: string | null = null) {
  const choice = { index: 0, delta, finish_reason: finish }
  return { ...head(request, 'chat.completion.chunk'), choices: [choice] }
}

function head({ model, index }: WireRequest, object: string) {
  return { id: `chatcmpl-${index}`, object, created: 1_700_000_000, model }
}

function usage(answer: EndpointAnswer) {
  const { inputTokens, outputTokens } = usageOf(answer)
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}

export function errorType(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
