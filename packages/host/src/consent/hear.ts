import { errorMessage, isJsonObject } from '@parley/mcp/json'
import { unlessAborted } from '@parley/mcp/signals'

import type { AskPerson, ConsentAnswer, ConsentQuestion } from './consent.ts'

/** What came of asking. */
export type Heard =
  | { readonly kind: 'answers'; readonly answers: readonly unknown[] }
  | { readonly kind: 'nobody' | 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string }

/** What came of one question. */
export type Answered =
  | { readonly kind: 'answer'; readonly answer: ConsentAnswer }
  | { readonly kind: 'nobody' | 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string }

/** An answer that comes after the end is not heard. */
export async function hear(
  questions: readonly ConsentQuestion[],
  ask: AskPerson | undefined,
  signal: AbortSignal,
): Promise<Heard> {
  if (questions.length === 0) return { kind: 'answers', answers: [] }
  if (signal.aborted) return { kind: 'cancelled' }
  if (ask === undefined) return { kind: 'nobody' }
  try {
    const answers: unknown = await unlessAborted(Promise.resolve(ask(questions, signal)), signal)
    if (signal.aborted) return { kind: 'cancelled' }
    return { kind: 'answers', answers: Array.isArray(answers) ? answers : [] }
  } catch (error) {
    return signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', message: errorMessage(error) }
  }
}

/** Whatever is not plainly a yes is a no. */
export function answerTo(reply: Heard, at: number): Answered {
  if (reply.kind !== 'answers') return reply
  const answer = reply.answers[at]
  if (!isAnswer(answer)) return { kind: 'failed', message: 'there was no answer to this call' }
  return { kind: 'answer', answer }
}

function isAnswer(value: unknown): value is ConsentAnswer {
  if (typeof value !== 'object' || value === null || !('decision' in value)) return false
  const isDecided = value.decision === 'allow' || value.decision === 'deny'
  const edited = 'arguments' in value ? value.arguments : undefined
  return isDecided && (edited === undefined || isJsonObject(edited))
}
