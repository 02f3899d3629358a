import type { ChatQuestion } from '../../chat.ts'
import { consentSheet } from './consent-sheet.ts'
import { formSheet } from './form-sheet.ts'
import { keySheet } from './key-sheet.ts'
import { linkSheet } from './link-sheet.ts'
import { samplingAnswerSheet, samplingSheet } from './sampling-sheet.ts'
import type { Sheet } from './sheet.ts'

/** The sheet for a question. */
export function questionSheet(question: ChatQuestion): Sheet {
  switch (question.kind) {
    case 'consent':
      return consentSheet(question.calls)
    case 'elicitation':
      return question.question.mode === 'url'
        ? linkSheet(question.question)
        : formSheet(question.question)
    case 'sampling':
      return samplingSheet(question.review)
    case 'sampling-answer':
      return samplingAnswerSheet(question.answer)
    case 'key':
      return keySheet(question.request)
  }
}
