import { mediaTypeOf } from '../../http/admission/media-type.ts'
import { patience } from '../channel.ts'
import type { Asked } from '../endpoint.ts'
import { readIncoming } from '../incoming.ts'
import type { HttpAnswer } from '../request/http-request.ts'
import { readBody } from '../request/read-body.ts'
import { followAnswer, isEventStream, type AnswerStreamOptions } from './answer-stream.ts'

/** Reads what answers a request, be it JSON or a stream. Rejects when the answer cannot come any more. */
export function takeAnswer(
  first: { readonly asked: Asked; readonly answer: HttpAnswer },
  options: AnswerStreamOptions,
): Promise<void> {
  return isEventStream(first.answer)
    ? followAnswer(first, options)
    : takeBody(first.asked, first.answer, options)
}

async function takeBody(
  asked: Asked,
  answer: HttpAnswer,
  { parts: { peer, clock, limits }, request, onMessage }: AnswerStreamOptions,
): Promise<void> {
  const contentType = answer.header('content-type')
  const isJson = contentType === json || mediaTypeOf(contentType) === json
  const text = await readBody(answer, asked, {
    peer,
    clock,
    maxBytes: isJson ? limits.messageBytes : 4096,
    stallMs: patience.stallMs,
    isExcerpt: !isJson,
  })
  if (!isJson) {
    const { notMcp, unanswered } = await import('../request/answer-failures.ts')
    if (text === '') throw unanswered(peer, `answered ${answer.status} to a request, with nothing`)
    throw notMcp(peer, answer.status, contentType, text)
  }
  const incoming = readIncoming(text, limits)
  void onMessage(incoming)
  if (!incoming.answers.includes(request)) {
    const { unanswered } = await import('../request/answer-failures.ts')
    throw unanswered(peer, 'sent JSON that does not answer the request')
  }
}

const json = 'application/json'
