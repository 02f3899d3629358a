import { randomUUID } from 'node:crypto'

import type { ChatAnswer, ChatQuestion } from '../chat.ts'

/** A question before it has a number. */
export type AskedQuestion = WithoutId<ChatQuestion>

type WithoutId<Question> = Question extends ChatQuestion
  ? Omit<Question, 'id' | 'requestedAt'>
  : never

/** What waits for a person. */
export interface QuestionsDesk {
  /** Oldest first. */
  readonly open: readonly ChatQuestion[]
  /** Resolves with the answer of a person, of the same kind. Rejects when the question is withdrawn or there are too many. */
  ask<Kind extends ChatAnswer['kind']>(
    question: Extract<AskedQuestion, { kind: Kind }>,
    signal: AbortSignal,
  ): Promise<Extract<ChatAnswer, { kind: Kind }>>
  /** False if it was answered or withdrawn before, or the answer is of another kind. */
  answer(id: string, answer: ChatAnswer): boolean
  /** Withdraws what is left. */
  close(): void
}

/** More than anybody can look at; a server that asks without end is told that nobody answers. */
const maxOpen = 64

interface Waiting {
  readonly question: ChatQuestion
  readonly resolve: (answer: ChatAnswer) => void
  readonly reject: (error: Error) => void
}

export function createQuestionsDesk(onChange: () => void): QuestionsDesk {
  const waiting = new Map<string, Waiting>()
  let isClosed = false

  function takeWaiting(id: string): Waiting | undefined {
    const found = waiting.get(id)
    if (found === undefined) return undefined
    waiting.delete(id)
    onChange()
    return found
  }

  async function ask(asked: AskedQuestion, signal: AbortSignal): Promise<ChatAnswer> {
    signal.throwIfAborted()
    if (isClosed) throw new Error('the chat is closing: no more questions can be asked')
    if (waiting.size >= maxOpen) throw new Error(`${maxOpen} questions wait already`)
    // Of the same union: `Omit` took two members away and they come back here.
    const question = { ...asked, id: randomUUID(), requestedAt: Date.now() } as ChatQuestion
    const { id } = question
    const withdraw = () => takeWaiting(id)?.reject(new Error('the question was withdrawn'))
    signal.addEventListener('abort', withdraw, { once: true })
    try {
      return await new Promise<ChatAnswer>((resolve, reject) => {
        waiting.set(id, { question, resolve, reject })
        onChange()
      })
    } finally {
      signal.removeEventListener('abort', withdraw)
    }
  }

  return {
    get open() {
      return [...waiting.values()].map(({ question }) => question)
    },
    // `answer` lets only the same kind through.
    ask: ask as QuestionsDesk['ask'],
    answer(id, answer) {
      if (waiting.get(id)?.question.kind !== answer.kind) return false
      takeWaiting(id)?.resolve(answer)
      return true
    },
    close() {
      isClosed = true
      for (const id of waiting.keys()) takeWaiting(id)?.reject(new Error('the chat was closed'))
    },
  }
}
