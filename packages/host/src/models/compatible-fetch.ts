import { isJsonObject, parseJsonObject } from '@parley/mcp/json'

import { ModelError } from './model-error.ts'

/**
 * A `fetch` for endpoints that take the form of chat completions lightly: those that end a stream with `[DONE]` and no
 * reason, and those that answer all at once although they were asked for a stream.
 */
export function compatibleFetch(base: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init)
    if (!response.ok || response.body === null) return response
    const { status, headers } = response
    const type = headers.get('content-type') ?? ''
    const isWhole = type.includes('application/json')
    const change = isWhole ? asStream() : withReason()
    const text = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(change)
    return new Response(text.pipeThrough(new TextEncoderStream()), {
      status,
      headers: { ...Object.fromEntries(headers), 'content-type': 'text/event-stream' },
    })
  }
}

const longest = 16 * 1024 * 1024

/** Says `stop` before `[DONE]` where nothing was said. */
function withReason(): TransformStream<string, string> {
  let line = ''
  let hasReason = false

  function finished(text: string): string {
    hasReason ||= /"finish_reason"\s*:\s*"/.test(text)
    if (hasReason || !/^data:\s*\[DONE\]/.test(text)) return text
    hasReason = true
    return `${event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${text}`
  }

  return new TransformStream({
    transform(chunk, controller) {
      const lines = `${line}${chunk}`.split('\n')
      line = lines.pop() ?? ''
      if (line.length > longest) throw tooLong()
      if (lines.length > 0) controller.enqueue(`${lines.map(finished).join('\n')}\n`)
    },
    flush(controller) {
      if (line !== '') controller.enqueue(finished(line))
    },
  })
}

/** Returns the events that a stream would have had. Anything but a completion stays unchanged, and its reader reports it. */
function asStream(): TransformStream<string, string> {
  const pieces: string[] = []
  let length = 0
  return new TransformStream({
    transform(chunk) {
      length += chunk.length
      if (length > longest) throw tooLong()
      pieces.push(chunk)
    },
    flush(controller) {
      const text = pieces.join('')
      const body = parseJsonObject(text)
      const choices = body?.['choices']
      const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
      const message = isJsonObject(choice) ? choice['message'] : undefined
      if (body === undefined || !isJsonObject(choice) || !isJsonObject(message)) {
        controller.enqueue(event(body ?? { error: { message: text.slice(0, 500) } }))
        return
      }
      const reason = choice['finish_reason'] ?? 'stop'
      controller.enqueue(
        event({ ...body, choices: [{ index: 0, delta: message, finish_reason: reason }] }) +
          'data: [DONE]\n\n',
      )
    },
  })
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function tooLong(): ModelError {
  return new ModelError('refused', 'the answer is longer than 16 million characters: it was cut')
}
