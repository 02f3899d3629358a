import { useCallback, useRef, useState } from 'react'

import type { AppConsent } from './app-question.tsx'
import { AppRejection, type AppRequest } from './app-request.ts'

/** A question that is shown, and the way to answer it. */
export interface OpenQuestion {
  readonly request: AppRequest
  answer(consent: AppConsent): void
}

/** Questions of an app at once, with the one that is shown. More are refused. */
export const maxQuestions = 8

/**
 * Asks one question after the other. What was allowed for as long as the app is shown is not asked again until `withdraw`,
 * which answers no to all questions and forgets what was allowed: another app is shown from then on, or none.
 */
export function useConsent(): {
  readonly question: OpenQuestion | undefined
  readonly ask: (request: AppRequest) => Promise<void>
  readonly withdraw: () => void
} {
  const [questions, setQuestions] = useState<readonly OpenQuestion[]>([])
  const open = useRef<readonly OpenQuestion[]>([])
  const allowed = useRef(new Set<string>())

  const set = useCallback((next: readonly OpenQuestion[]) => {
    open.current = next
    setQuestions(next)
  }, [])

  const withdraw = useCallback(() => {
    open.current.forEach((question) => question.answer('no'))
    allowed.current.clear()
  }, [])

  const ask = useCallback(
    (request: AppRequest) =>
      new Promise<void>((resolve, reject) => {
        const key = keyOf(request)
        if (key !== undefined && allowed.current.has(key)) {
          resolve()
          return
        }
        if (open.current.length >= maxQuestions) {
          reject(new AppRejection('too many questions are open'))
          return
        }
        const question: OpenQuestion = {
          request,
          answer(consent) {
            if (!open.current.includes(question)) return
            set(open.current.filter((candidate) => candidate !== question))
            if (consent === 'always' && key !== undefined) allowed.current.add(key)
            if (consent === 'no') reject(new AppRejection(rejections[request.kind]))
            else resolve()
          },
        }
        set([...open.current, question])
      }),
    [set],
  )
  return { question: questions[0], ask, withdraw }
}

const rejections: { readonly [K in AppRequest['kind']]: string } = {
  call: 'Tool call denied by user',
  read: 'Reading denied by user',
  link: 'Link opening denied by user',
  message: 'Message sending denied',
  context: 'Context update denied',
}

/** What can be allowed in advance; links and words never. */
function keyOf(request: AppRequest): string | undefined {
  switch (request.kind) {
    case 'call':
      return `call ${request.name}`
    case 'read':
    case 'context':
      return request.kind
    case 'link':
    case 'message':
      return undefined
  }
}
