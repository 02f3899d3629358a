import type { AskPerson, ElicitationSettings, SamplingSettings } from '@parley/host'

import type { KeyRequest } from '../chat.ts'
import type { QuestionsDesk } from './questions-desk.ts'

/** Which conversation a question belongs to. */
export interface WhoseQuestion {
  /** The one whose turn asks right now. */
  current(): string | undefined
  /** The one that waits for a call of that server, if it is the only one. */
  calling(server: string): string | undefined
}

/** How the engine asks: every question goes to the desk. A withdrawn one is a no. */
export function askers(
  desk: QuestionsDesk,
  whose: WhoseQuestion,
): {
  readonly consent: AskPerson
  readonly elicitation: ElicitationSettings['ask']
  readonly sampling: NonNullable<SamplingSettings['review']>
  readonly samplingAnswer: NonNullable<SamplingSettings['reviewAnswer']>
  readonly key: (request: KeyRequest, signal: AbortSignal) => Promise<string | undefined>
} {
  return {
    async consent(calls, signal) {
      const conversation = whose.current()
      const { answers } = await desk.ask<'consent'>(
        { kind: 'consent', conversation, calls },
        signal,
      )
      return answers
    },
    async elicitation(question, signal) {
      const conversation = whose.calling(question.server)
      const asked = { kind: 'elicitation', conversation, question } as const
      const { answer } = await desk.ask<'elicitation'>(asked, signal)
      return answer
    },
    async sampling(review, signal) {
      const conversation = whose.calling(review.server)
      const { decision } = await desk.ask<'sampling'>(
        { kind: 'sampling', conversation, review },
        signal,
      )
      return decision
    },
    async samplingAnswer(answer, signal) {
      const conversation = whose.calling(answer.server)
      const asked = { kind: 'sampling-answer', conversation, answer } as const
      const { decision } = await desk.ask<'sampling-answer'>(asked, signal)
      return decision
    },
    async key(request, signal) {
      const asked = { kind: 'key', conversation: whose.current(), request } as const
      const { key } = await desk.ask<'key'>(asked, signal)
      return key
    },
  }
}
